"""Numbers of search by meaning for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import DatabaseError, InterfaceError
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from .jobs import read_queue


class EmbeddingQueue(Collector):
    """`toolcatalog_embedding_jobs{state}`: tools that wait for their vector, and those of them that failed already."""

    def describe(self) -> Iterator[Metric]:
        """What there will be; asked for at the start, when the database is not."""
        yield self._family()

    def collect(self) -> Iterator[Metric]:
        """The numbers of this moment; none while the database does not answer."""
        family = self._family()
        try:
            state = read_queue()
        except (DatabaseError, InterfaceError):
            return
        family.add_metric(["pending"], state.pending)
        family.add_metric(["failed"], state.failed)
        yield family

    @staticmethod
    def _family() -> GaugeMetricFamily:
        return GaugeMetricFamily("toolcatalog_embedding_jobs", "Tools that wait for their vector", labels=["state"])
