"""Who calls: the API key in the headers of a request, for every door that keys open."""

from .headers import is_plain_id, read_bearer, read_correlation_id
from .keys import authenticate

__all__ = ["authenticate", "is_plain_id", "read_bearer", "read_correlation_id"]
