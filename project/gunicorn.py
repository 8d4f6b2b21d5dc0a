"""gunicorn's configuration. Threads, because a worker spends its time waiting for the database's disk."""

from __future__ import annotations

import os

wsgi_app = "project.wsgi:application"
bind = os.environ.get("BIND", f"127.0.0.1:{os.environ.get('PORT', '8000')}")
worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
threads = int(os.environ.get("WEB_THREADS", "8"))
preload_app = False  # a database pool must not be shared by forked processes
timeout = 60
graceful_timeout = 30
keepalive = 5
limit_request_field_size = 32 * 1024  # a key that is far too long is a wrong key: 401, as for any other
forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")
control_socket_disable = True  # its one path in the home folder would be shared by all installations
