#!/bin/sh
# Installs what the tests need and Python cannot bring: git and OpenSSH's client. Says nothing when all is there.
set -eu

missing=''
command -v git >/dev/null 2>&1 || missing="$missing git"
command -v ssh-keygen >/dev/null 2>&1 || missing="$missing openssh-client"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "the tests need these Debian packages:$missing" >&2
    echo "install them (\`apt-get install$missing\` as root) and run \`make test\` again" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086 # a list of words
apt-get install -qq -y --no-install-recommends $missing >/dev/null
