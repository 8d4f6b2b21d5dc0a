"""Django settings, read from the environment. Without any variable: the embedded database, for a newcomer's machine.

Production sets at least DATABASE_URL, SECRET_KEY and ALLOWED_HOSTS.
"""

from __future__ import annotations

from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

from project.databases import databases_from, is_embedded
from project.embedded import default_data_folder
from project.json_settings import json_object_from
from project.logs import configure_structlog, logging_from
from project.secret_key import kept_secret_key
from project.theme import UNFOLD  # noqa: F401 (the theme reads it from here)

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent

# What there is: the database, and how far this is a newcomer's machine

DATA_DIR = default_data_folder()
EMBEDDED_DATABASE = is_embedded(env)
DEBUG = env.bool("DEBUG", default=EMBEDDED_DATABASE)
if EMBEDDED_DATABASE and not DEBUG and not env.bool("ALLOW_EMBEDDED_DATABASE", default=False):
    raise ImproperlyConfigured(
        "The embedded database is for trying things out: set DATABASE_URL, or ALLOW_EMBEDDED_DATABASE=1 if you mean it."
    )
SECRET_KEY = env.str("SECRET_KEY", default="") or kept_secret_key(DATA_DIR, allowed=EMBEDDED_DATABASE)
DATABASES = databases_from(env)
DATABASE_ROUTERS = ["project.router.OwnerMigrates"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# What is installed

INSTALLED_APPS = [
    "unfold",
    "unfold.contrib.filters",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.forms",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "toolcatalog",
]
MIDDLEWARE = [
    "toolcatalog.api.middleware.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "toolcatalog.admin.security.AdminContentSecurityPolicy",
]
ROOT_URLCONF = "project.urls"
WSGI_APPLICATION = "project.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "toolcatalog.api.problems.handle_exception",
    "UNAUTHENTICATED_USER": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Tool Catalog",
    "DESCRIPTION": "Decides, for each call of a model, which tools this caller's model may see, and proves it later.",
    "VERSION": "1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_AUTHENTICATION": [],  # the schema is for everybody, and no cookie counts
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "ToolStatusEnum": "toolcatalog.curation.serializers.TOOL_STATUSES",
        "GroupStatusEnum": "toolcatalog.curation.serializers.GROUP_STATUSES",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "toolcatalog.api.schema_extensions.describe_problems",
    ],
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 33 * 1024 * 1024  # views have limits of their own, at most 32 MB

# Which servers tools are read from and run at (JSON, or the path of a JSON file); see toolcatalog/sources/registry.py

MCP_SERVERS = json_object_from(env, "MCP_SERVERS")
HTTP_SOURCES = json_object_from(env, "HTTP_SOURCES")
# Origins such as http://127.0.0.1:8080 that may be plain HTTP and on a private network.
OUTBOUND_ALLOWED_ORIGINS = env.list("OUTBOUND_ALLOWED_ORIGINS", default=[])

# The MCP endpoint (`manage.py serve_mcp`); see docs/mcp.md

# Host names, with their ports, that it answers to beside this machine's own: mcp.example.com, mcp.example.com:8443.
MCP_ALLOWED_HOSTS = env.list("MCP_ALLOWED_HOSTS", default=[])
MCP_ALLOWED_ORIGINS = env.list("MCP_ALLOWED_ORIGINS", default=[])  # web pages that may call it
MCP_SESSION_IDLE_SECONDS = env.float("MCP_SESSION_IDLE_SECONDS", default=1800)
MCP_SESSIONS_PER_KEY = env.int("MCP_SESSIONS_PER_KEY", default=100)
MCP_SESSIONS = env.int("MCP_SESSIONS", default=2000)

# Search by meaning, off unless an embedder is named: "use" (the local model of requirements-semantic.txt), "openai" (an
# endpoint of that form), or one of another package; see docs/search.md

SEMANTIC_EMBEDDER = env.str("SEMANTIC_EMBEDDER", default="")
EMBEDDINGS_URL = env.str("EMBEDDINGS_URL", default="")
EMBEDDINGS_MODEL = env.str("EMBEDDINGS_MODEL", default="")
EMBEDDINGS_KEY = env.str("EMBEDDINGS_KEY", default="")
EMBEDDINGS_TIMEOUT_SECONDS = env.float("EMBEDDINGS_TIMEOUT_SECONDS", default=1.0)

# Words, time and files

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
FORMAT_MODULE_PATH = "project.formats"
LOCALE_PATHS = [BASE_DIR / "toolcatalog" / "locale"]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "static/"
# With DEBUG static files are served from where they are; else from where `collectstatic` puts them.
STATIC_ROOT = None if DEBUG else Path(env.str("STATIC_ROOT", default=str(BASE_DIR / "staticfiles")))
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
configure_structlog()
LOGGING = logging_from(level=env.str("LOG_LEVEL", default="INFO"), as_json=not DEBUG)

# Who may come in, and how

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
LOGIN_REDIRECT_URL = "admin:index"  # where the admin's own login page leads
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
USES_HTTPS = env.bool("USES_HTTPS", default=not DEBUG)
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=USES_HTTPS)
SECURE_REDIRECT_EXEMPT = [r"^livez$", r"^readyz$", r"^metrics$"]  # asked by machines inside, over plain HTTP
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000 if USES_HTTPS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=USES_HTTPS)
SECURE_HSTS_PRELOAD = env.bool("SECURE_HSTS_PRELOAD", default=USES_HTTPS)
# Only behind a proxy that sets this header itself, whatever the client sent.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("BEHIND_PROXY", default=False) else None
SESSION_COOKIE_SECURE = USES_HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = USES_HTTPS
CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"

# How the admin looks

FORM_RENDERER = "django.forms.renderers.TemplatesSetting"  # widgets of our own have their templates in `templates/`
