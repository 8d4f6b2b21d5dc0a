"""The order in which a driver visits stops."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, permutations
from math import dist

from toolcatalog.callbacks import ToolError, tool

MOST_STOPS = 8


@dataclass
class Stop:
    """A place on the driver's map, by kilometres from the depot."""

    name: str
    east: float
    north: float


@tool(
    title="Plan stops",
    category="freight",
    tags=["route"],
    keywords={"en": ["tour", "itinerary"], "zh": ["路线", "送货顺序"]},
    annotations={"readOnlyHint": True},
    timeout_seconds=15,
    process=True,  # it computes for a while: in a process of its own it slows nobody down
)
def plan_stops(stops: list[Stop]) -> dict[str, object]:
    """Finds the shortest way from the depot past all stops and back.

    Args:
        stops: The places to visit, at most 8.
    """
    if not 0 < len(stops) <= MOST_STOPS:
        raise ToolError(f"Plan 1 to {MOST_STOPS} stops at a time.")
    best = min(permutations(stops), key=_length)
    return {"order": [stop.name for stop in best], "km": round(_length(best), 1)}


def _length(stops: tuple[Stop, ...]) -> float:
    depot = (0.0, 0.0)
    places = [depot, *((stop.east, stop.north) for stop in stops), depot]
    return sum(dist(here, there) for here, there in pairwise(places))
