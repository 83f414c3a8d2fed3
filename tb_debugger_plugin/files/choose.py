"""Which file system a path belongs to."""

from __future__ import annotations

import re
import threading

from tb_debugger_plugin.files.file_system import FileSystem
from tb_debugger_plugin.files.local import LocalFiles
from tb_debugger_plugin.files.remote import RemoteFiles

_URL = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*)://")

LOCAL = LocalFiles()

_remote: dict[str, FileSystem] = {}
_lock = threading.Lock()


def file_system_of(path: str) -> FileSystem:
    """The file system that knows a path or URL; connections are made once a scheme.

    Raises:
      OSError: There is no connection; ``MissingPackage`` if a package is not installed.
    """
    url = _URL.match(path)
    if url is None:
        return LOCAL
    scheme = url[1].lower()
    with _lock:
        if scheme not in _remote:
            _remote[scheme] = RemoteFiles(scheme)
        return _remote[scheme]
