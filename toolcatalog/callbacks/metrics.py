"""Numbers of callbacks for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from .running import hung_calls


class HungCalls(Collector):
    """`toolcatalog_callback_hung_calls{callback}`: calls that were given up and still hold a thread of this process."""

    def collect(self) -> Iterator[Metric]:
        """The numbers of this moment."""
        text = "Calls that were given up and still hold a thread"
        family = GaugeMetricFamily("toolcatalog_callback_hung_calls", text, labels=["callback"])
        for name, calls in sorted(hung_calls().items()):
            family.add_metric([name], calls)
        yield family
