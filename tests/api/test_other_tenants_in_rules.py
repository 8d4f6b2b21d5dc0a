"""A shared group may name tenants in its conditions. A tenant reads of them only itself."""

from __future__ import annotations

from tests.support import make_group, make_profile, make_tenant, resolve, row, says
from toolcatalog.models import Tenant

from .conftest import Api


def _share(*slugs: str) -> None:
    make_group(None, "trade", [], row("tenant", "in", list(slugs), note="not globex"), for_all_tenants=True)
    make_group(
        None, "rival", [], row("tenant", "equals", "initech", condition_set=2), says("订单"), for_all_tenants=True
    )


def rel_T11_condition_on_tenants__read_by_a_curator__names_nobody_else(curator: Api, maple: Tenant) -> None:
    _share(maple.slug, "initech")
    trade, rival = (curator.get(f"/tool-groups/{name}") for name in ("trade", "rival"))
    assert trade.json()["matchers"][0]["value"] == [maple.slug]
    assert [each["value"] for each in rival.json()["matchers"] if each["source"] == "tenant"] == [""]
    listed = curator.get("/tool-groups")
    for response in (trade, rival, listed):
        assert "initech" not in response.content.decode()
        assert "globex" not in response.content.decode()


def test_condition_on_tenants__read_by_a_manager__is_whole(manager: Api, maple: Tenant) -> None:
    _share(maple.slug, "initech")
    shown = manager.get("/tool-groups/trade?owner=shared").json()["matchers"][0]
    assert (shown["value"], shown["note"]) == ([maple.slug, "initech"], "not globex")


def rel_T11_condition_on_tenants__explained__names_nobody_else(db: None) -> None:
    acme = make_tenant("acme")
    make_profile(acme)
    _share("acme", "initech")
    answer = resolve(acme, "订单", explain=True)
    assert answer.explanation is not None
    said = str(answer.explanation)
    assert "acme" in said
    assert "initech" not in said
    assert "globex" not in said
    assert {group.name: group.matched for group in answer.explanation.groups} == {"trade": True, "rival": True}
