"""The catalog over REST, for curators and the catalog manager: one module for each kind of object."""

from .categories import CategoryListView, CategoryView
from .documents import ExportView, ImportView
from .grants import GrantListView, GrantView
from .profiles import ProfileListView, ProfileView
from .tags import TagListView, TagView
from .tool_groups import GroupListView, GroupView
from .tools import ToolListView, ToolView

__all__ = [
    "CategoryListView",
    "CategoryView",
    "ExportView",
    "GrantListView",
    "GrantView",
    "GroupListView",
    "GroupView",
    "ImportView",
    "ProfileListView",
    "ProfileView",
    "TagListView",
    "TagView",
    "ToolListView",
    "ToolView",
]
