#!/bin/sh
# Installs what the tests need and Python cannot bring: git, OpenSSH, bubblewrap, and the servers that pushes are tried
# on.
# Says nothing when all is there. No service is started or enabled: the tests start what they need themselves.
set -eu

missing=''
command -v bwrap >/dev/null 2>&1 || missing="$missing bubblewrap"
command -v git >/dev/null 2>&1 || missing="$missing git"
command -v ssh-keygen >/dev/null 2>&1 || missing="$missing openssh-client"
[ -x /usr/sbin/sshd ] || missing="$missing openssh-server"
[ -x /usr/sbin/lighttpd ] || missing="$missing lighttpd"
[ -x /usr/bin/gitolite ] || missing="$missing gitolite3"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "the tests need these Debian packages:$missing" >&2
    echo "install them (\`apt-get install$missing\` as root) and run \`make test\` again" >&2
    exit 1
fi

# invoke-rc.d asks this file whether a package may start its service; one that is there already stays as it is.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
fi
export DEBIAN_FRONTEND=noninteractive
if command -v debconf-set-selections >/dev/null 2>&1; then
    # Without a key gitolite3 sets up nothing of its own; each test sets up its own copy.
    echo 'gitolite3 gitolite3/adminkey string' | debconf-set-selections
fi
apt-get update -qq
# shellcheck disable=SC2086 # a list of words
apt-get install -qq -y --no-install-recommends $missing >/dev/null

# A package that was not there before must not bring its service up with the machine either.
keep_off() {
    case "$missing " in
    *" $1 "*)
        update-rc.d "$2" disable >/dev/null
        if command -v systemctl >/dev/null 2>&1; then systemctl --quiet disable "$2.service"; fi
        ;;
    esac
}
keep_off openssh-server ssh
keep_off lighttpd lighttpd
