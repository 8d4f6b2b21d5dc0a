"""The WSGI application, for gunicorn: `gunicorn -c project/gunicorn.py`."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

from .chunked import ChunkedBodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")

application = ChunkedBodies(get_wsgi_application())
