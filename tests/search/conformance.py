"""What every search provider has to do, as test classes: a provider's tests inherit them and give the `provider`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.search.builders import OTHER_OWNER, OWNER, Catalog, many_tools, parameters, tool
from toolcatalog.search import SearchProvider

FLOOD = ("& | ! <-> :* ' \\ % _ \x00 😀 \ud800 {} [] () $1 %s %(name)s -- ; /* <b>", "'" * 500, "\\" * 500, "%" * 500)


class ProviderConformance:
    """What holds for every provider, however it ranks. Queries are exact names, which each of them finds."""

    def b_T3_saving_a_tool_again_is_an_update(self, provider: SearchProvider) -> None:
        first = tool("get_order", "Reads an order")
        catalog = Catalog(provider, [first])
        provider.save(replace(first, description="Reads one order"))
        assert [document.description for document in provider.find_all(OWNER)] == ["Reads one order"]
        assert catalog.find("get_order") == ["get_order"]

    def b_T3_two_owners_may_have_the_same_name(self, provider: SearchProvider) -> None:
        own, foreign = tool("get_order"), tool("get_order", owner_id=OTHER_OWNER)
        catalog = Catalog(provider, [own, foreign])
        assert [hit.tool_id for hit in catalog.search("get_order").hits] == [own.tool_id]
        assert [hit.tool_id for hit in catalog.search("get_order", owners=[OTHER_OWNER]).hits] == [foreign.tool_id]

    def b_T5_removing_says_whether_there_was_something(self, provider: SearchProvider) -> None:
        document = tool("get_order")
        provider.save(document)
        assert provider.remove(document.tool_id) is True
        assert provider.remove(document.tool_id) is False

    def b_T5_clearing_counts_and_leaves_other_owners_alone(self, provider: SearchProvider) -> None:
        shared = tool("shared_tool", owner_id=None)
        Catalog(provider, [tool("one"), tool("two"), shared])
        assert provider.clear(OWNER) == 2
        assert provider.clear(OWNER) == 0
        assert provider.find_all(OWNER) == ()
        assert provider.find_all(None) == (shared,)

    def b_T5_listing_is_by_name_and_gives_back_what_was_saved(self, provider: SearchProvider) -> None:
        full = tool(
            "b_tool",
            "Text 文本",
            title="Title",
            category=("orders", "Orders"),
            tags=(("order", "Order"), ("vip", "VIP")),
            keywords=("parcel", "快递"),
            parameters=parameters(order_no="订单号"),
            deprecated=True,
        )
        plain = tool("a_tool")
        Catalog(provider, [full, plain])
        assert provider.find_all(OWNER) == (plain, full)
        assert provider.find_by_name(OWNER, "b_tool") == full

    def b_T5_finding_by_name_is_exact(self, provider: SearchProvider) -> None:
        Catalog(provider, [tool("get_order")])
        assert provider.find_by_name(OWNER, "Get_Order") is None
        assert provider.find_by_name(OTHER_OWNER, "get_order") is None

    def b_T12_tools_that_are_not_allowed_take_no_place(self, provider: SearchProvider) -> None:
        documents = [tool(f"ns{number}.get_order") for number in range(20)]
        catalog = Catalog(provider, documents)
        allowed = frozenset(document.tool_id for document in documents[10:13])
        assert {hit.tool_id for hit in catalog.search("get_order", 3, allowed=allowed).hits} == allowed

    def b_T12_an_allowed_tool_of_an_owner_out_of_scope_is_not_found(self, provider: SearchProvider) -> None:
        foreign = tool("get_order", owner_id=OTHER_OWNER)
        catalog = Catalog(provider, [foreign])
        assert catalog.search("get_order", allowed=[foreign.tool_id]).hits == ()

    def b_T12_nobody_allowed_is_nothing_found(self, provider: SearchProvider) -> None:
        assert Catalog(provider, [tool("get_order")]).find("get_order", allowed=()) == []

    @pytest.mark.parametrize(
        "query",
        [
            "get_current_weather",
            "GET_CURRENT_WEATHER",
            "get current weather",
            "getCurrentWeather",
            "get-current.Weather",
        ],
    )
    def b_T14_an_exact_name_is_first_however_it_is_spelt(self, provider: SearchProvider, query: str) -> None:
        catalog = Catalog(
            provider,
            [
                tool("get_weather", "get current weather get current weather"),
                tool("get_current_weather", "Reads a station"),
                tool("current_weather_getter", "get current weather"),
            ],
        )
        assert catalog.find(query)[0] == "get_current_weather"

    def b_T14_the_nearest_spelling_of_a_name_is_first(self, provider: SearchProvider) -> None:
        names = ["crm.getOrder", "get_order", "GetOrder", "getOrder"]
        catalog = Catalog(provider, [tool(name) for name in names])
        assert catalog.find("getOrder") == ["getOrder", "GetOrder", "get_order", "crm.getOrder"]

    @pytest.mark.parametrize("name", ["crm.get_order", "crm/get_order", "crm__get_order", "shop/crm.getOrder"])
    def b_T14_the_last_segment_of_a_namespaced_name_counts(self, provider: SearchProvider, name: str) -> None:
        catalog = Catalog(provider, [tool("get_order_list", "get_order get_order"), tool(name, "Reads one")])
        assert catalog.find("get_order")[0] == name

    def b_T14_an_exact_name_scores_one_and_says_so(self, provider: SearchProvider) -> None:
        result = Catalog(provider, [tool("get_order"), tool("get_order_status")]).search("get_order")
        assert result.stage == "name"
        assert (result.hits[0].score, result.hits[0].matched_on) == (1.0, ("name",))
        assert all(hit.score < 1 for hit in result.hits[1:])

    def b_S8_an_edited_name_is_found_and_the_old_one_is_not(self, provider: SearchProvider) -> None:
        document = tool("get_parcel")
        catalog = Catalog(provider, [document])
        provider.save(replace(document, name="fetch_consignment"))
        assert catalog.search("fetch_consignment").stage == "name"
        assert catalog.search("get_parcel").hits == ()

    def case_S18_a_removed_tool_is_never_found(self, provider: SearchProvider) -> None:
        document = tool("get_order", "Reads an order")
        catalog = Catalog(provider, [document])
        provider.remove(document.tool_id)
        assert catalog.find("get_order") == []

    @pytest.mark.parametrize("query", ["set temperature", "SetTemperature", "set.temperature", "SET-TEMPERATURE"])
    def case_S33_an_exact_name_with_other_case_and_separators_is_first(
        self, provider: SearchProvider, query: str
    ) -> None:
        catalog = Catalog(
            provider, [tool("temperature_set", "set temperature set temperature"), tool("set_temperature")]
        )
        assert catalog.find(query)[0] == "set_temperature"

    @pytest.mark.parametrize("text", FLOOD)
    def b_S7_no_text_is_an_error(self, provider: SearchProvider, text: str) -> None:
        catalog = Catalog(provider, [tool("get_order", "Reads an order")])
        assert catalog.find(text) == []
        assert catalog.find(f"get_order {text}"[:200]) in ([], ["get_order"])

    def b_S7_ten_thousand_characters_are_no_error(self, provider: SearchProvider) -> None:
        catalog = Catalog(provider, [tool("get_order", "Reads an order")])
        for text in ("订单" * 5_000, "order " * 1_666, "a" * 10_000, "aB" * 5_000):
            catalog.find(text)

    def rel_T3_another_tenants_words_bring_nothing_and_change_nothing(self, provider: SearchProvider) -> None:
        catalog = Catalog(provider, [tool("get_order", "Reads an order"), tool("list_invoices", "All invoices")])
        before = catalog.search("order xylophone")
        Catalog(provider, [tool(f"xylophone_{n}", "order order xylophone", owner_id=OTHER_OWNER) for n in range(30)])
        assert catalog.find("xylophone") == []
        assert catalog.search("order xylophone") == before


class LexicalConformance(ProviderConformance):
    """What holds for every provider that ranks by words."""

    @pytest.fixture
    def office(self, provider: SearchProvider) -> Catalog:
        """Four tools with Chinese descriptions and English names."""
        return Catalog(
            provider,
            [
                tool("getWeather", "查询指定城市的实时天气和未来预报"),
                tool("sendEmail", "发送电子邮件到指定的收件人"),
                tool("queryDatabase", "执行 SQL 语句查询数据库中的表"),
                tool("get_order", "根据订单号查询订单状态和物流"),
            ],
        )

    @pytest.mark.parametrize(
        ("query", "name"),
        [
            ("查询城市天气", "getWeather"),
            ("发送邮件", "sendEmail"),
            ("给我发邮件", "sendEmail"),
            ("电子邮件", "sendEmail"),
            ("查询数据库", "queryDatabase"),
            ("我的订单到哪了", "get_order"),
        ],
    )
    def b_S1_chinese_queries_find_chinese_descriptions(self, office: Catalog, query: str, name: str) -> None:
        assert office.find(query)[0] == name

    @pytest.mark.parametrize(
        ("query", "name"),
        [
            ("email", "sendEmail"),
            ("jira", "create_jira_ticket"),
            ("xml parser", "XMLParser"),
            ("addperson", "addPerson"),
            ("http response", "getHTTPResponse2xx"),
            ("mail merge", "mail-merge.run"),
            ("h264", "encode_h264"),
            ("PDFs", "merge_pdf"),
        ],
    )
    def b_S2_names_are_split_in_queries_and_tools_alike(self, provider: SearchProvider, query: str, name: str) -> None:
        names = [
            "sendEmail", "create_jira_ticket", "XMLParser", "addPerson", "getHTTPResponse2xx", "mail-merge.run",
            "encode_h264", "merge_pdf",
        ]  # fmt: skip
        assert Catalog(provider, [tool(each) for each in names]).find(query)[0] == name

    @pytest.mark.parametrize(
        ("description", "query"),
        [
            ("Lists open issues", "issue"),
            ("Lists one issue", "issues"),
            ("Books a table", "booking"),
            ("Café réservation", "cafe reservation"),
            ("Cafe reservation", "CAFÉ RÉSERVATION"),
            ("Ｏｐｅｎ　ｏｒｄｅｒｓ", "open orders"),
            ("将PDF解析为文本", "解析PDF文件"),
            ("Konwersja plików łódź", "lodz"),
        ],
    )
    def b_S3_inflections_accents_widths_and_scripts_meet(
        self, provider: SearchProvider, description: str, query: str
    ) -> None:
        catalog = Catalog(provider, [tool("wanted", description), tool("other", "Something else altogether 其他内容")])
        assert catalog.find(query) == ["wanted"]

    @pytest.mark.parametrize(
        ("query", "name"),
        [
            ("查询天气", "forecast"),
            ("帮我订一张机票", "book_flight"),
            ("where is my parcel", "track"),
            ("refund", "return_money"),
        ],
    )
    def b_S1_everyday_words_are_met_in_the_other_language(
        self, provider: SearchProvider, query: str, name: str
    ) -> None:
        catalog = Catalog(
            provider,
            [
                tool("forecast", "Weather of the coming days"),
                tool("book_flight", "Books a seat"),
                tool("track", "追踪包裹的位置"),
                tool("return_money", "处理退款"),
                tool("other", "Something else 其他内容"),
            ],
        )
        assert catalog.find(query) == [name]

    def b_S1_a_word_as_written_counts_more_than_its_translation(self, provider: SearchProvider) -> None:
        catalog = Catalog(provider, [tool("one", "Shows the weather"), tool("two", "显示天气")])
        assert catalog.find("天气") == ["two", "one"]
        assert catalog.find("weather") == ["one", "two"]

    def b_S4_words_that_no_tool_has_do_not_empty_the_result(self, office: Catalog) -> None:
        assert office.find("could you please tell me about weather in Ouagadougou")[0] == "getWeather"
        assert office.find("乌兰巴托明天的天气怎么样")[0] == "getWeather"

    @pytest.mark.parametrize("query", ["the", "how do I bake sourdough", "的", "红烧肉的做法", "请帮我一下"])
    def b_S4_what_nothing_answers_is_no_match(self, office: Catalog, query: str) -> None:
        result = office.search(query)
        assert (result.hits, result.stage) == ((), "none")

    def b_S4_a_word_that_most_tools_share_is_no_answer(self, provider: SearchProvider) -> None:
        catalog = Catalog(provider, many_tools())
        assert catalog.find("record a song") == []
        assert catalog.find("create a melody") == []

    def b_S4_a_catalog_of_one_topic_does_not_take_it_for_a_common_word(self, provider: SearchProvider) -> None:
        things = ["status", "invoice", "address", "history", "label", "return", "note", "weight", "gift", "total"]
        orders = [tool(f"get_order_{thing}", f"Reads the {thing} of an order") for thing in things]
        catalog = Catalog(provider, [*orders, tool("say_hello"), tool("tell_time")])
        assert len(catalog.find("my order in Berlin", 20)) == len(orders)

    def b_S5_weights_fall_from_name_to_parameters(self, provider: SearchProvider) -> None:
        catalog = Catalog(
            provider,
            [
                tool("in_parameters", "Does this", parameters=parameters(zebra="The zebra")),
                tool("in_description", "Does the zebra thing"),
                tool("in_keywords", "Does that", keywords=("zebra",)),
                tool("zebra_name", "Does something"),
            ],
        )
        assert catalog.find("zebra") == ["zebra_name", "in_keywords", "in_description", "in_parameters"]

    @pytest.mark.parametrize(
        "fields", [{"category": ("zebra", "Zebra")}, {"tags": (("zebra", "Zebra"),)}, {"keywords": ("zebra",)}]
    )
    def b_S5_labels_stand_between_name_and_description(self, provider: SearchProvider, fields: dict[str, Any]) -> None:
        documents = [tool("described", "The zebra"), tool("labelled", **fields), tool("zebra_tool")]
        assert Catalog(provider, documents).find("zebra") == ["zebra_tool", "labelled", "described"]

    def b_S5_long_parameter_lists_do_not_float_a_tool_up(self, provider: SearchProvider) -> None:
        many = parameters(**{f"zebra_{number}": "The zebra of the zebra" for number in range(60)})
        documents = [tool("long_list", "Does things", parameters=many), tool("described", "Paints a zebra")]
        assert Catalog(provider, documents).find("zebra") == ["described", "long_list"]

    def b_T4_every_searchable_part_is_searched(self, provider: SearchProvider) -> None:
        nested = {
            "type": "object",
            "properties": {
                "outer": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"kangaroo": {"description": "Innermost wallaby"}}},
                },
                "choice": {"anyOf": [{"description": "Quokka or none"}, {"type": "null"}]},
            },
        }
        document = tool(
            "aardvark",
            "A badger",
            title="Capybara",
            category=("dingo", "Echidna"),
            tags=(("ferret", "Gibbon"),),
            keywords=("hedgehog", "刺猬"),
            parameters=nested,
        )
        catalog = Catalog(provider, [document, tool("other", "Something else")])
        words = ["aardvark", "badger", "capybara", "dingo", "echidna", "ferret", "gibbon", "hedgehog", "刺猬"]
        words += ["kangaroo", "wallaby", "quokka", "outer"]
        assert [word for word in words if catalog.find(word) != ["aardvark"]] == []

    def b_T4_hits_say_which_fields_they_met_the_query_in(self, provider: SearchProvider) -> None:
        document = tool("get_parcel", "Reads it", keywords=("zebra",), parameters=parameters(carrier="Who ships"))
        catalog = Catalog(provider, [document])
        assert catalog.search("zebra carrier").hits[0].matched_on == ("keywords", "parameters")

    @pytest.mark.parametrize(
        ("query", "name"),
        [
            ("wether forcast", "weather_forecast"),
            ("weathrforecast", "weather_forecast"),
            ("recieve", "receive_parcel"),
            ("tempreture", "temperature_log"),
        ],
    )
    def b_S6_typing_errors_are_forgiven(self, provider: SearchProvider, query: str, name: str) -> None:
        catalog = Catalog(provider, [tool("weather_forecast"), tool("receive_parcel"), tool("temperature_log")])
        result = catalog.search(query)
        assert result.stage == "typo"
        assert catalog.find(query)[0] == name
        assert all(hit.score < 1 for hit in result.hits)

    def b_S6_only_where_nothing_else_matches(self, provider: SearchProvider) -> None:
        catalog = Catalog(
            provider, [tool("harbour_form", "Fills in a form"), tool("customer_card", "Shows a customer")]
        )
        assert catalog.search("harbour customr").stage == "terms"
        assert catalog.find("harbour customr") == ["harbour_form"]
        assert catalog.find("customr") == ["customer_card"]

    @pytest.mark.parametrize(
        "query", ["stake a claim on mars", "wether to buy a new house", "mouse trap", "pail", "水稻种植"]
    )
    def b_S6_another_topic_is_no_match(self, provider: SearchProvider, query: str) -> None:
        catalog = Catalog(
            provider,
            [
                tool("weather_forecast"),
                tool("stage_light"),
                tool("house_key"),
                tool("mail_box"),
                tool("水表", "读水表"),
            ],
        )
        assert catalog.search(query).stage in {"none", "terms"}
        assert "weather_forecast" not in catalog.find(query)
        assert "stage_light" not in catalog.find(query)
        assert "mail_box" not in catalog.find(query)

    @pytest.mark.parametrize(
        "query", ["order & x", "order | x", "!order", "order <-> x", "ord:*der order", "'order'", "order\\"]
    )
    def b_S7_signs_mean_nothing(self, provider: SearchProvider, query: str) -> None:
        catalog = Catalog(provider, [tool("read_order", "Reads an order"), tool("other", "Something else")])
        assert catalog.find(query) == ["read_order"]

    def b_S8_an_edit_is_found_by_its_new_words_and_not_by_its_old_ones(self, provider: SearchProvider) -> None:
        document = tool("tracker", "Follows a parcel", keywords=("shipment",))
        catalog = Catalog(provider, [document, tool("other", "Something else")])
        provider.save(replace(document, description="Follows a balloon", keywords=("airship",)))
        assert catalog.find("balloon") == catalog.find("airship") == ["tracker"]
        assert catalog.find("parcel") == catalog.find("shipment") == []

    @pytest.mark.parametrize(
        ("query", "name"),
        [("calc", "calculate_tax"), ("notifica", "send_notification"), ("tem", "temperature"), ("кли", "клиенты")],
    )
    def b_S11_a_word_also_meets_words_that_begin_with_it(self, provider: SearchProvider, query: str, name: str) -> None:
        names = ["calculate_tax", "send_notification", "temperature", "клиенты", "unrelated"]
        assert Catalog(provider, [tool(each) for each in names]).find(query) == [name]

    def b_S11_at_less_weight_than_the_word_itself(self, provider: SearchProvider) -> None:
        catalog = Catalog(provider, [tool("calculator", "Adds"), tool("totals", "calc for totals")])
        assert catalog.find("calc") == ["totals", "calculator"]

    def b_S11_two_letters_are_no_beginning(self, provider: SearchProvider) -> None:
        assert Catalog(provider, [tool("calculate_tax")]).find("ca") == []

    def b_S12_a_hit_below_the_minimum_is_left_out_and_counted(self, provider: SearchProvider) -> None:
        catalog = Catalog(provider, [tool("read_zebra"), tool("other", "One zebra among a great many other animals")])
        best, worst = catalog.search("zebra").hits
        assert 0 < worst.score < best.score < 1
        result = catalog.search("zebra", min_score=(best.score + worst.score) / 2)
        assert [hit.tool_id for hit in result.hits] == [best.tool_id]
        assert result.details["below_min_score"] == 1
        assert catalog.search("zebra", min_score=worst.score).hits == (best, worst)

    def b_X8_a_deprecated_tool_ranks_after_its_equal(self, provider: SearchProvider) -> None:
        old = tool("aa_zebra", "Reads a zebra", deprecated=True)
        catalog = Catalog(provider, [old, tool("bb_zebra", "Reads a zebra")])
        assert catalog.find("zebra") == ["bb_zebra", "aa_zebra"]
        assert catalog.find("aa zebra")[0] == "aa_zebra"
