"""The demo catalog: one imaginary group of companies, three tenants, and samples that say what each should be shown."""

from .catalog import DEMO_TENANTS, SHARED_DOCUMENT, DemoTenant, load_demo_documents
from .samples import SampleRequest, SampleSearch, load_sample_requests, load_sample_searches

__all__ = [
    "DEMO_TENANTS",
    "SHARED_DOCUMENT",
    "DemoTenant",
    "SampleRequest",
    "SampleSearch",
    "load_demo_documents",
    "load_sample_requests",
    "load_sample_searches",
]
