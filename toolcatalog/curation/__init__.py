"""Writes to the catalog.

Every door comes through these services; each is one transaction and raises InvalidInput whole.
"""

from .callback_source import list_callbacks, sync_callbacks
from .definitions import DefinitionSerializer, read_definitions
from .documents import (
    GrantDocument,
    GroupDocument,
    LabelDocument,
    ProfileDocument,
    SearchDocumentSettings,
    ToolDocument,
)
from .exporting import export_document
from .grants import delete_grant, save_grant
from .groups import SavedGroup, delete_group, save_group
from .imported import ImportedTool, PlannedTool, SyncAction, SyncPlan
from .importing import ImportPlan, PlannedRow, import_document
from .indexing import index_tools
from .labels import delete_label, save_label
from .lint import ToolWarning, lint_rename, lint_tool, prompts_that_mention
from .merging import find_curated
from .profiles import SavedProfile, delete_profile, save_profile
from .rendering import (
    render_category,
    render_grant,
    render_group,
    render_matcher,
    render_profile,
    render_tag,
    render_tool,
)
from .reviews import (
    Proposal,
    approve_revision,
    find_pending,
    preview_approval,
    reject_revision,
    restore_imported,
)
from .schemas import compile_validator
from .serializers import (
    CategorySerializer,
    GrantSerializer,
    GroupSerializer,
    ProfileSerializer,
    TagSerializer,
    ToolSerializer,
    field_names,
    flatten_errors,
    read_category,
    read_grant,
    read_group,
    read_profile,
    read_tag,
    read_tool,
    validate,
)
from .sources import find_or_make_source, sync_source
from .tenant_settings import TenantDocument, render_tenant, save_tenant
from .tenants import NewApiKey, create_api_key, create_tenant, revoke_api_key
from .tools import SavedTool, TriedTool, delete_tool, save_tool, save_tools
from .transactions import Author, editing
from .validation import check_storable, raise_if_any
from .verdicts import (
    ProviderProblem,
    ProviderVerdict,
    check_for_providers,
    define_tool,
    find_deviations,
    judge_alone,
    suggest,
)

__all__ = [
    "Author",
    "CategorySerializer",
    "DefinitionSerializer",
    "GrantDocument",
    "GrantSerializer",
    "GroupDocument",
    "GroupSerializer",
    "ImportPlan",
    "ImportedTool",
    "LabelDocument",
    "NewApiKey",
    "PlannedRow",
    "PlannedTool",
    "ProfileDocument",
    "ProfileSerializer",
    "Proposal",
    "ProviderProblem",
    "ProviderVerdict",
    "SavedGroup",
    "SavedProfile",
    "SavedTool",
    "SearchDocumentSettings",
    "SyncAction",
    "SyncPlan",
    "TagSerializer",
    "TenantDocument",
    "ToolDocument",
    "ToolSerializer",
    "ToolWarning",
    "TriedTool",
    "approve_revision",
    "check_for_providers",
    "check_storable",
    "compile_validator",
    "create_api_key",
    "create_tenant",
    "define_tool",
    "delete_grant",
    "delete_group",
    "delete_label",
    "delete_profile",
    "delete_tool",
    "editing",
    "export_document",
    "field_names",
    "find_curated",
    "find_deviations",
    "find_or_make_source",
    "find_pending",
    "flatten_errors",
    "import_document",
    "index_tools",
    "judge_alone",
    "lint_rename",
    "lint_tool",
    "list_callbacks",
    "preview_approval",
    "prompts_that_mention",
    "raise_if_any",
    "read_category",
    "read_definitions",
    "read_grant",
    "read_group",
    "read_profile",
    "read_tag",
    "read_tool",
    "reject_revision",
    "render_category",
    "render_grant",
    "render_group",
    "render_matcher",
    "render_profile",
    "render_tag",
    "render_tenant",
    "render_tool",
    "restore_imported",
    "revoke_api_key",
    "save_grant",
    "save_group",
    "save_label",
    "save_profile",
    "save_tenant",
    "save_tool",
    "save_tools",
    "suggest",
    "sync_callbacks",
    "sync_source",
    "validate",
]
