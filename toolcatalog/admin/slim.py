"""Makes list pages light: the theme repeats hundreds of letters of class names in every cell."""

from __future__ import annotations

from django.template.response import TemplateResponse

_CELL = (
    "align-middle flex border-t border-base-200 font-normal gap-4 items-center min-w-0 overflow-hidden px-3 py-1.5 "
    "h-[45px] text-left before:flex before:capitalize before:content-[attr(data-label)] before:items-center "
    "before:font-semibold before:text-font-important-light before:mr-auto first:border-t-0 lg:before:hidden "
    "lg:first:border-t lg:table-cell dark:border-base-800 dark:before:text-font-important-dark"
)
_TICK_CELL = (
    "align-middle flex items-center px-3 py-2 text-left before:block before:capitalize "
    "before:content-[attr(data-label)] before:font-semibold before:mr-auto before:text-font-important-light "
    "lg:before:hidden lg:border-t lg:border-base-200 lg:table-cell dark:lg:border-base-800 "
    "dark:before:text-font-important-dark"
)
_TICK = (
    "appearance-none bg-white block border border-base-300 h-4 min-w-4 relative rounded-[4px] shadow-xs w-4 "
    "dark:bg-base-900 dark:border-base-700 dark:checked:after:text-white after:absolute "
    r"after:content-[&#x27;check\_small&#x27;] after:flex! after:h-4 after:items-center after:justify-center "
    "after:leading-none after:material-symbols-outlined after:-ml-px after:-mt-px after:text-white after:w-4 "
    "dark:after:text-transparent checked:bg-primary-600 dark:checked:bg-primary-600 checked:border-primary-600 "
    "dark:checked:border-primary-600"
)
_ROW = (
    "data-row block border border-base-200 mb-3 relative rounded-default lg:table-row lg:border-none lg:mb-0 "
    "lg:rounded-none dark:border-base-800"
)
_MARK = (
    "inline-flex font-semibold items-center justify-center leading-normal h-6 w-6 !rounded-full uppercase "
    "whitespace-nowrap"
)
SHORT_NAMES = {
    _CELL: "tc-cell",
    _TICK_CELL: "tc-cell tc-tick-cell",
    _TICK: "tc-tick-box",
    _ROW: "data-row tc-data-row",
    _MARK: "tc-round-mark",
}
"""Class lists of the theme, and the class in our style sheet that looks the same."""


def slim_list(response: TemplateResponse) -> None:
    """Put the short names in place of the long ones. Where the theme changes its lists, the page is only larger."""
    content = response.content.decode()
    for long_name, short_name in SHORT_NAMES.items():
        content = content.replace(long_name, short_name)
    response.content = "\n".join(line for line in map(str.strip, content.splitlines()) if line)
