"""The audit: writes exposures in the transaction of the answer, and reads them for auditors."""

from .record import ExposureEntry, digest_text, record_exposure

__all__ = ["ExposureEntry", "digest_text", "record_exposure"]
