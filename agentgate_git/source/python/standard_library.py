"""Modules that every CPython from 3.9 on has, however it was built: importing one never fails."""

from __future__ import annotations

_NAMES = """
abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins cProfile calendar cmath
cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib
contextvars copy copyreg csv dataclasses datetime decimal difflib dis doctest email encodings enum
errno faulthandler filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt
getpass glob graphlib gzip hashlib heapq hmac html http imaplib importlib inspect io ipaddress
itertools json keyword linecache locale logging mailbox marshal math mimetypes mmap modulefinder
netrc ntpath numbers operator optparse os pathlib pdb pickle pickletools pkgutil platform plistlib
poplib posixpath pprint profile pstats py_compile pyclbr pydoc pyexpat queue quopri random re
reprlib rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtplib
socket socketserver stat statistics string stringprep struct subprocess symtable sys sysconfig
tabnanny tarfile tempfile textwrap threading time timeit token tokenize trace traceback tracemalloc
types typing unicodedata unittest urllib uuid warnings wave weakref webbrowser wsgiref xml xmlrpc
zipfile zipimport zoneinfo
"""
STANDARD_LIBRARY = frozenset(_NAMES.split())


def is_standard(module: str) -> bool:
    """True for a dotted name in the standard library."""
    return module.partition(".")[0] in STANDARD_LIBRARY
