"""What in a request is a value for a tool, and not the capability that is asked for: addresses, paths, encoded data.

`save it to /srv/notes/rome.md` asks for something that writes a markdown file; `srv`, `notes` and `rome` say nothing
of the tool. So a path is read as `file` and the kind that its ending stands for, a web address as its site and `url`,
and a long run of encoded data as nothing. Quoted texts and numbers stay: they are as often the topic as they are not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_ENCODED = re.compile(r"[A-Za-z0-9+/=_-]{60,}")
_WEB_ADDRESS = re.compile(r"(?:https?://|www\.)(?:www\.)?([\w-]+)[^\s，。；）)]*", re.IGNORECASE)
_PATH = re.compile(r"(?<![\w/:.])(?:~|\.{1,2})?(?:/[\w.-]+)+/?")
_ENDING = re.compile(r"[A-Za-z0-9]{1,5}")

_KINDS: Mapping[str, str] = {
    "md": "markdown",
    "doc": "word document",
    "docx": "word document",
    "xls": "excel",
    "xlsx": "excel",
    "ppt": "presentation",
    "pptx": "presentation",
    "txt": "text",
    "png": "image",
    "jpg": "image",
    "jpeg": "image",
    "gif": "image",
    "svg": "svg image",
    "mp3": "audio",
    "wav": "audio",
    "mp4": "video",
    "py": "python code",
    "js": "code",
    "ts": "code",
}


def replace_arguments(text: str) -> str:
    """`text` with paths, web addresses and encoded data replaced by the words for what they are. Linear in `text`."""
    without_data = _ENCODED.sub(" ", text)
    return _PATH.sub(_name_path, _WEB_ADDRESS.sub(r" \1 url ", without_data))


def _name_path(match: re.Match[str]) -> str:
    path = match.group()
    name = path.rstrip("/").rsplit("/", 1)[-1]
    stem, dot, ending = name.rpartition(".")
    if dot and stem and _ENDING.fullmatch(ending):
        return f" file {_KINDS.get(ending.lower(), ending)} "
    return path if path.count("/") < 2 else f" {name} "
