"""What a curator does in a day, with the mouse and the keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import PASSWORD, PATIENCE
from tests.support import (
    edit_tool,
    grant,
    make_group,
    make_many_tools,
    make_profile,
    make_tenant,
    make_tool,
    resolve,
    row,
    says,
    set_tenant,
)
from toolcatalog.curation import render_group, render_tool
from toolcatalog.models import ApiKey, Exposure, Tenant, Tool, ToolGroup

pytestmark = [pytest.mark.browser]
expect.set_options(timeout=PATIENCE)


@pytest.fixture
def tenant(transactional_db: None) -> Tenant:
    """The tenant to work for."""
    return make_tenant("acme")


def choose_owner(page: Page, name: str) -> None:
    """Search for the tenant, and choose it."""
    page.locator(".field-owner .select2-selection").click()
    page.locator(".select2-search__field").fill(name)
    page.locator(".select2-results__option", has_text=name).click()


def pick(page: Page, field: str, text: str, choice: str | None = None) -> None:
    """Type into a picker's search box, and choose what it offers."""
    page.locator(f"#id_{field}_search").fill(text)
    page.locator(f"#id_{field}_options [role=option]", has_text=choice or text).first.click()


def save(page: Page) -> None:
    """Press the save button, and wait for the answer."""
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).click()


def test_login__with_a_password__leads_to_the_admin(stranger: Page, live_server: Any) -> None:
    stranger.goto(f"{live_server.url}/admin/")
    stranger.get_by_label("Username").fill("ada")
    stranger.get_by_label("Password").fill(PASSWORD)
    stranger.get_by_role("button", name="Log in").click()
    stranger.wait_for_url(f"{live_server.url}/admin/")
    expect(stranger.locator("#nav-sidebar-apps")).to_contain_text("Playground")


def test_tool__added_with_the_keyboard_and_the_mouse(page: Page, live_server: Any, tenant: Tenant) -> None:
    page.goto(f"{live_server.url}/admin/toolcatalog/tool/add/")
    choose_owner(page, "acme")
    page.locator("#id_name").fill("get_order")
    page.locator("#id_description").fill("Says where an order is.")
    page.locator("#id_parameters").fill(
        '{"type":"object","properties":{"orderNo":{"type":"string"}},"required":["orderNo"]}'
    )
    expect(page.locator(".tc-parameters")).to_contain_text("orderNo")
    expect(page.locator(".tc-parameters")).to_contain_text("the model has to guess")
    page.locator("[data-json-tidy]").first.click()
    expect(page.locator("#id_parameters")).to_have_value(
        '{\n  "type": "object",\n  "properties": {\n    "orderNo": {\n      "type": "string"\n    }\n  },\n'
        '  "required": [\n    "orderNo"\n  ]\n}'
    )
    pick(page, "category", "Orders", "Create “Orders”")
    page.locator("#id_tags_search").fill("logistics")
    expect(page.locator("#id_tags_options [role=option]")).to_contain_text(["Create “logistics”"])
    page.locator("#id_tags_search").press("Enter")
    page.locator("textarea[name=keywords-words]").nth(1).fill("快递\n物流")
    page.locator("#id_reason").fill("first")
    save(page)
    tool = Tool.objects.get()
    document = render_tool(tool)
    assert (tool.owner, document["category"], document["tags"]) == (tenant, "orders", ["logistics"])
    assert document["keywords"] == {"zh": ["快递", "物流"]}
    assert list(document["parameters"]) == ["type", "properties", "required"]


def test_tool__broken_json__is_said_while_typing_and_after_saving(page: Page, live_server: Any, tenant: Tenant) -> None:
    page.goto(f"{live_server.url}/admin/toolcatalog/tool/add/")
    page.locator("#id_name").fill("get_order")
    page.locator("#id_parameters").fill('{"type": ')
    expect(page.locator("[data-json-state]").first).to_have_text("Not JSON yet")
    save(page)
    expect(page.locator(".field-parameters")).to_contain_text("This is not JSON")
    expect(page.locator("#id_parameters")).to_have_value('{"type": ')


def test_group__rule_made_of_rows__reads_like_a_sentence(page: Page, live_server: Any, tenant: Tenant) -> None:
    make_tool(tenant, "get_order", "Says where an order is.")
    make_tool(tenant, "track_parcel", "Follows a parcel.")
    page.goto(f"{live_server.url}/admin/toolcatalog/toolgroup/add/")
    choose_owner(page, "acme")
    page.locator("#id_name").fill("order")
    pick(page, "tools", "get_order")
    pick(page, "tools", "track")
    words = page.locator("#tc-rule-words")
    expect(words).to_contain_text("always")
    page.get_by_role("button", name="Add a condition").click()
    assert page.locator("#id_match").input_value() == "rules", "a condition is there to be looked at"
    page.locator("#id_matchers-0-text").fill("订单\n物流")
    expect(words).to_contain_text("the last user message contains any of 订单, 物流")
    page.get_by_role("button", name="And: another condition").click()
    page.locator("#id_matchers-1-source").select_option("account_id")
    page.locator("#id_matchers-1-operator").select_option("exists")
    expect(page.locator("#id_matchers-1-text")).to_be_hidden()
    expect(words).to_contain_text("and the account is given")
    page.get_by_role("button", name="Or: another set of conditions").click()
    page.locator("#id_matchers-2-source").select_option("attribute")
    page.locator("#id_matchers-2-attribute").fill("plan")
    page.locator("#id_matchers-2-operator").select_option("equals")
    page.locator("#id_matchers-2-text").fill("premium")
    page.locator("[data-row]:visible").nth(2).locator(".tc-not").click()
    expect(words).to_contain_text("the attribute “plan” is not premium")
    expect(page.locator("#tc-access-words")).to_contain_text("Left automatic it is: yes")
    save(page)
    document = render_group(ToolGroup.objects.get())
    assert document["tools"] == ["get_order", "track_parcel"]
    assert [(one["condition_set"], one["operator"], one["value"], one["negate"]) for one in document["matchers"]] == [
        (1, "contains_any", ["订单", "物流"], False),
        (1, "exists", None, False),
        (2, "equals", "premium", True),
    ]


def test_group__rows_removed_and_moved__and_errors_beside_the_row(page: Page, live_server: Any, tenant: Tenant) -> None:
    group = make_group(tenant, "order", [], says("a"), says("b"), row("account_id", "exists"))
    page.goto(f"{live_server.url}/admin/toolcatalog/toolgroup/{group.pk}/change/")
    rows = page.locator("[data-row]:visible")
    expect(rows).to_have_count(3)
    rows.nth(0).get_by_role("button", name="Remove this condition").click()
    expect(rows).to_have_count(2)
    rows.nth(1).get_by_role("button", name="More settings").click()
    number = page.locator("#id_matchers-2-condition_set")
    number.fill("2")
    number.press("Tab")
    expect(page.locator("[data-set]:visible")).to_have_count(2)
    page.locator("#id_matchers-1-text").fill("")
    save(page)
    expect(page.locator("[data-row].tc-wrong")).to_have_count(1)
    expect(page.locator("[data-row].tc-wrong")).to_contain_text("at least one keyword")
    page.locator("#id_matchers-1-text").fill("c")
    save(page)
    stored = [(one.condition_set, one.operator, one.value) for one in ToolGroup.objects.get().matchers.all()]
    assert stored == [(1, "contains_any", ["c"]), (2, "exists", None)]


def test_group__last_condition_removed__refused_beside_the_rows(page: Page, live_server: Any, tenant: Tenant) -> None:
    group = make_group(tenant, "order", [], says("a"))
    page.goto(f"{live_server.url}/admin/toolcatalog/toolgroup/{group.pk}/change/")
    page.get_by_role("button", name="Remove this condition").click()
    save(page)
    expect(page.locator(".tc-rules-problem")).to_contain_text("choose “always”")
    assert ToolGroup.objects.get().matchers.count() == 1


@pytest.mark.parametrize("operator", ["between_times", "percentage"])
def test_row__shows_only_what_fits_its_operator(page: Page, live_server: Any, tenant: Tenant, operator: str) -> None:
    source = {"between_times": "time", "percentage": "account_id"}[operator]
    page.goto(f"{live_server.url}/admin/toolcatalog/toolgroup/add/")
    page.get_by_role("button", name="Add a condition").click()
    page.locator("#id_matchers-0-source").select_option(source)
    page.locator("#id_matchers-0-operator").select_option(operator)
    times = page.locator("[data-part=times]:visible")
    expect(times).to_have_count(1 if operator == "between_times" else 0)
    offered = page.locator("#id_matchers-0-operator option:not([hidden])").all_inner_texts()
    assert ("matches the pattern" in offered) == (source == "account_id")


def case_U05_many_tools__narrowed_by_typing(page: Page, live_server: Any, tenant: Tenant) -> None:
    names = [f"tool_{number:03}" for number in range(60)]
    make_many_tools(tenant, names)
    group = make_group(tenant, "big", names)
    page.goto(f"{live_server.url}/admin/toolcatalog/toolgroup/{group.pk}/change/")
    page.locator(".field-tools [data-picker-filter] input").fill("tool_05")
    expect(page.locator(".field-tools .tc-picker-item:visible")).to_have_count(10)
    page.locator(".field-tools .tc-picker-item:visible").first.get_by_role("button", name="Move down").click()
    save(page)
    stored = render_group(ToolGroup.objects.get())["tools"]
    assert sorted(stored) == names
    assert stored.index("tool_051") < stored.index("tool_050")


def test_playground__try_a_request__and_share_it(page: Page, live_server: Any, tenant: Tenant) -> None:
    make_tool(tenant, "get_order", "根据订单号查询订单状态")
    make_group(tenant, "order", ["get_order"], says("订单"), row("account_id", "exists"))
    page.locator("#nav-sidebar-apps a", has_text="Playground").click()
    page.get_by_label("Last user message").fill("订单 AF20260001 到哪了")
    page.get_by_role("button", name="Try it").click()
    result = page.locator("#playground-result")
    expect(result).to_contain_text("does not match")
    page.get_by_text("Who asks, and what is known").click()
    page.get_by_label("Account").fill("user-1001")
    page.get_by_label("Ask about one tool").fill("get_order")
    page.get_by_label("What would the model find?").fill("查询订单")
    page.get_by_role("button", name="Try it").click()
    expect(result).to_contain_text("1 group matches")
    expect(result).to_contain_text("It is sent")
    expect(result).to_contain_text("A search for “查询订单”")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#playground-result")).to_contain_text("1 group matches")
    other.close()
    assert not Exposure.objects.exists()


def test_exposure__seen_after_a_request(page: Page, live_server: Any, tenant: Tenant) -> None:
    make_tool(tenant, "get_order", "Says where an order is.")
    make_group(tenant, "order", ["get_order"], says("订单"))
    resolve(tenant, "订单 AF20260001", account_id="user-1001")
    page.locator("#nav-sidebar-apps a", has_text="Exposures").click()
    page.locator(".tc-data-row a").first.click()
    expect(page.locator("#content")).to_contain_text("Group matched")
    expect(page.locator("#content")).to_contain_text("user-1001")
    page.get_by_text("Definition").first.click()
    expect(page.locator("#content")).to_contain_text("Says where an order is.")


def test_key__shown_once__reload_shows_the_key_without_its_secret(page: Page, live_server: Any, tenant: Tenant) -> None:
    page.goto(f"{live_server.url}/admin/toolcatalog/apikey/add/?tenant={tenant.pk}")
    page.locator("#id_name").fill("live bot")
    save(page)
    secret = page.locator("#new-key").input_value()
    assert secret.startswith("tc_")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    page.reload()
    expect(page.locator("#content")).to_contain_text("live bot")
    assert secret not in page.content()
    assert ApiKey.objects.count() == 1
    page.get_by_label("I know that.").check()
    with page.expect_navigation():
        page.get_by_role("button", name="Revoke this key").click()
    assert ApiKey.objects.get().revoked_at is not None


def test_two_editors__the_second_sees_what_differs(
    page: Page, live_server: Any, tenant: Tenant, context: BrowserContext
) -> None:
    tool = make_tool(tenant, "get_order", "As it was at first.")
    address = f"{live_server.url}/admin/toolcatalog/tool/{tool.pk}/change/"
    page.goto(address)
    other = context.new_page()
    other.goto(address)
    other.locator("#id_description").fill("As the first editor left it.")
    save(other)
    page.locator("#id_description").fill("As the second editor wants it.")
    save(page)
    expect(page.locator("#conflict")).to_contain_text("As the first editor left it.")
    expect(page.locator("#id_description")).to_have_value("As the second editor wants it.")
    save(page)
    assert Tool.objects.get().description == "As the second editor wants it."


def test_language__chinese__on_every_page(page: Page, live_server: Any, tenant: Tenant) -> None:
    page.context.add_cookies([{"name": "django_language", "value": "zh-hans", "url": live_server.url}])
    page.goto(f"{live_server.url}/admin/toolcatalog/toolgroup/add/")
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    expect(page.locator("#nav-sidebar-apps")).to_contain_text("工具组")
    expect(page.locator("#tc-rule-words")).to_contain_text("始终")


def case_U08_group_opened_to_all__effect_appears_before_saving(page: Page, live_server: Any, tenant: Tenant) -> None:
    make_tool(None, "get_weather", "Says how the weather is.")
    make_profile(tenant, search={"enabled": False})
    grant(tenant, "get_weather")
    group = make_group(None, "weather", ["get_weather"], says("天气"))
    page.goto(f"{live_server.url}/admin/toolcatalog/toolgroup/{group.pk}/change/")
    page.locator("#id_for_all_tenants").check(force=True)
    effect = page.locator("#tc-effect")
    expect(effect).to_contain_text("gains 1 tool")
    expect(effect).to_contain_text("get_weather")
    assert not ToolGroup.objects.get().for_all_tenants
    page.locator("#id_for_all_tenants").uncheck(force=True)
    expect(effect).to_contain_text("no tool comes or goes")


def test_exposure__resolved_again__says_what_differs(page: Page, live_server: Any, tenant: Tenant) -> None:
    set_tenant(tenant, text_policy="full")
    tool = make_tool(tenant, "get_order", "Says where an order is.")
    make_group(tenant, "order", ["get_order"], says("订单"))
    make_profile(tenant)
    resolve(tenant, "订单 AF20260001")
    edit_tool(tool, status="disabled")
    page.goto(f"{live_server.url}/admin/toolcatalog/exposure/")
    page.locator(".tc-data-row a").first.click()
    page.get_by_role("button", name="Resolve again today").click()
    expect(page.locator("#tc-replay")).to_contain_text("not shown now")
    expect(page.locator("#tc-replay")).to_contain_text("Switched off")
