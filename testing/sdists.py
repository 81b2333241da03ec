"""Real projects with their own suites: source distributions by name and sha256, fetched once, never committed."""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
import tarfile
from pathlib import Path

CACHE = Path(__file__).resolve().parent.parent / ".test-cache" / "sdists"
PINNED = {
    "pluggy": ("1.6.0", "7dcc130b76258d33b90f61b658791dede3486c3e6bfb003ee5c9bfb396dd22f3"),
    "iniconfig": ("2.3.0", "c76315c77db068650d49c5b56314774a7804df16fee4402c1f19d6d15d8c4730"),
    "packaging": ("26.4", "c4b671c41ddb9bf26e543c37723610d28fb6bf7affc4da17cf048d419d2c062a"),
    "tenacity": ("9.2.1", "a606b5c808d0cded4a359d5b9932d867ff2a6a6b64d37350260fd01bbdf83839"),
}


def unpacked(name: str, directory: Path) -> Path:
    """The project's files below `directory`; the folder that holds them."""
    with tarfile.open(_archive(name)) as archive:
        archive.extractall(directory, filter="data")
    return directory / f"{name}-{PINNED[name][0]}"


def _archive(name: str) -> Path:
    version, sha256 = PINNED[name]
    path = CACHE / f"{name}-{version}.tar.gz"
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the suite runs in several processes
        if not path.exists():
            _download(name, version, sha256)
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != sha256:
        raise AssertionError(f"{path} has sha256 {found}, not {sha256}: delete it and run again")
    return path


def _download(name: str, version: str, sha256: str) -> None:
    wanted = CACHE / f"{name}.txt"
    wanted.write_text(f"{name}=={version} --hash=sha256:{sha256}\n")
    options = ["--quiet", "--no-deps", "--no-binary", ":all:", "--require-hashes", "-d", str(CACHE), "-r", str(wanted)]
    done = subprocess.run([sys.executable, "-m", "pip", "download", *options], capture_output=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{name} {version} could not be fetched:\n{os.fsdecode(done.stderr)}")


def main() -> None:
    """Fetch what is not here yet, before a test waits for it."""
    for name in PINNED:
        _archive(name)


if __name__ == "__main__":
    main()
