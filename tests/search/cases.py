"""Faults of other systems, as a test class: what a provider that ranks by words can show of them."""

from __future__ import annotations

import pytest

from tests.search.builders import Catalog, many_tools, parameters, tool
from tests.search.conformance import LexicalConformance
from toolcatalog.contract.catalog import Caution
from toolcatalog.search import SearchProvider


class LexicalCases(LexicalConformance):
    """The conformance suite and the cases."""

    @pytest.mark.parametrize("query", ["addPerson", "add person", "addperson"])
    def case_S01_a_camel_case_name_is_found(self, provider: SearchProvider, query: str) -> None:
        catalog = Catalog(provider, [tool("addActivity", "Adds a person's activity"), tool("addPerson")])
        assert catalog.find(query)[0] == "addPerson"

    def case_S03_the_named_tool_comes_before_a_mention_in_parameters(self, provider: SearchProvider) -> None:
        mention = parameters(mode="create edge or create edge twice", edge="Edge to create", create="Create")
        others = [tool(f"canvas_{thing}_{n}", f"Moves a {thing}") for thing in ("node", "group") for n in range(16)]
        catalog = Catalog(
            provider, [*others, tool("canvas_arrange", "Lays out", parameters=mention), tool("canvas_create_edge")]
        )
        assert catalog.find("create edge")[0] == "canvas_create_edge"

    def case_S05_the_singular_finds_the_plural(self, provider: SearchProvider) -> None:
        catalog = Catalog(provider, [tool("db", "List all databases"), tool("other", "Something else")])
        assert catalog.find("list database") == ["db"]

    @pytest.mark.parametrize("query", ["портфель", "портфеля", "ПОРТФЕЛИ"])
    def case_S06_cyrillic_is_found_inflected_too(self, provider: SearchProvider, query: str) -> None:
        catalog = Catalog(provider, [tool("p", "Показать портфель клиента"), tool("q", "Отправить письмо")])
        assert catalog.find(query) == ["p"]

    @pytest.mark.parametrize(
        ("description", "query"),
        [("メール送信サービス", "ﾒｰﾙ送信"), ("ＰＤＦを開く", "pdf"), ("opens a pdf", "ＰＤＦ")],
    )
    def case_S08_compatibility_forms_are_equal(self, provider: SearchProvider, description: str, query: str) -> None:
        catalog = Catalog(provider, [tool("wanted", description), tool("other", "Something else")])
        assert catalog.find(query) == ["wanted"]

    @pytest.mark.parametrize(
        ("description", "query"),
        [
            ("Café réservation", "cafe reservation"),
            ("초과근무 승인", "초과근무"),
            ("초과근무를 승인합니다", "초과근무"),
        ],
    )
    def case_S10_accents_and_korean_are_kept(self, provider: SearchProvider, description: str, query: str) -> None:
        catalog = Catalog(provider, [tool("wanted", description), tool("other", "Something else 회의실 예약")])
        assert catalog.find(query) == ["wanted"]

    def case_S11_a_query_is_not_a_phrase(self, provider: SearchProvider) -> None:
        catalog = Catalog(provider, [tool("search_contacts"), tool("get_company"), tool("other_thing")])
        assert set(catalog.find("contacts for a company")) == {"search_contacts", "get_company"}

    def case_S13_one_common_word_does_not_fill_the_list(self, provider: SearchProvider) -> None:
        result = Catalog(provider, many_tools()).search("book a flight ticket")
        assert (result.hits, result.stage) == ((), "none")

    def case_S15_add_is_not_address(self, provider: SearchProvider) -> None:
        catalog = Catalog(provider, [tool("address-book-lookup", "Address of an addressee"), tool("math-add")])
        assert catalog.find("add")[0] == "math-add"

    def case_S16_as_many_as_asked_for(self, provider: SearchProvider) -> None:
        things = ["crop", "blur", "turn", "cut", "mask", "tint", "flip", "zoom", "pad", "sharpen", "trim", "glow"]
        catalog = Catalog(provider, [tool(f"image_{thing}", "Works on an image") for thing in things])
        assert len(catalog.find("image", 5)) == 5
        assert len(catalog.find("image", 10)) == 10
        assert "image_sharpen" in catalog.find("image", 12)

    def case_S20_the_tools_of_two_groups_are_both_reachable(self, provider: SearchProvider) -> None:
        tasks = [tool(f"task_{verb}", f"{verb} a task") for verb in ("add", "close", "assign", "list")]
        crm = [
            tool(f"crm_{verb}_{thing}", f"{verb} {thing} of the crm") for verb in ("add", "find") for thing in "abcde"
        ]
        assert set(Catalog(provider, [*crm, *tasks]).find("close a task")[:4]) == {each.name for each in tasks}

    def case_S21_a_filter_does_not_disable_the_query(self, provider: SearchProvider) -> None:
        catalog = Catalog(
            provider, [tool("draw_mind_map"), tool("read_file_metadata"), tool("mind_map_outside"), tool("print_page")]
        )
        docs = catalog.ids("draw_mind_map", "read_file_metadata", "print_page")
        assert catalog.find("mind map", allowed=docs) == ["draw_mind_map"]
        assert catalog.find("file metadata", allowed=docs) == ["read_file_metadata"]

    def case_S23_a_short_name_beats_a_long_one(self, provider: SearchProvider) -> None:
        catalog = Catalog(provider, [tool("post_accounts_pages_projects_deployments"), tool("get_accounts")])
        assert catalog.find("accounts")[0] == "get_accounts"

    @pytest.mark.parametrize("query", ["____", "%", "%%", "a%b"])
    def case_S26_wildcards_are_literal(self, provider: SearchProvider, query: str) -> None:
        assert Catalog(provider, [tool("get_order"), tool("list_things")]).find(query) == []

    def case_S35_search_is_not_research(self, provider: SearchProvider) -> None:
        catalog = Catalog(provider, [tool("research_note", "Researches a note"), tool("search_orders")])
        assert catalog.find("search")[0] == "search_orders"

    def test_search__several_asks_in_one_request__each_finds_its_tool(self, provider: SearchProvider) -> None:
        long = "Compute the monthly rate of a loan from its amount, its interest rate and its term in years"
        loans = [tool(f"loan_{kind}", f"{long}, for a {kind} loan") for kind in ("fixed", "variable", "mixed", "short")]
        catalog = Catalog(provider, [*loans, tool("mail_letter", "Sends a letter by mail"), tool("other", "Else")])
        request = (
            "Compute the monthly rate of my loan of this amount, interest rate and term. Also mail a letter to Ann."
        )
        assert "mail_letter" in catalog.find(request, 2)

    def test_search__of_two_names_that_hold_the_words__the_one_without_others_first(
        self, provider: SearchProvider
    ) -> None:
        catalog = Catalog(provider, [tool("cancel_room_booking_list", "room booking"), tool("book_room", "Does it")])
        assert catalog.find("room booking")[0] == "book_room"

    def test_search__another_word_for_the_same_thing__found(self, provider: SearchProvider) -> None:
        catalog = Catalog(provider, [tool("symptom_lookup", "Medical conditions by symptom"), tool("paint_wall")])
        assert catalog.find("rash") == ["symptom_lookup"]

    def b_S4_the_more_caution_the_rather_nothing(self, provider: SearchProvider) -> None:
        catalog = Catalog(provider, [*many_tools(), tool("padded_box", "Where a trombone lives when nobody plays it")])
        vague = "Tell aunt Philippa why her lovely trombone friends never arrived in Vladivostok that sunny Wednesday"
        found = {caution: catalog.search(vague, caution=caution) for caution in Caution}
        assert found[Caution.OFF].hits == found[Caution.NORMAL].hits != ()
        assert found[Caution.STRICT].hits == ()
        assert found[Caution.STRICT].stage == "none"
        assert 0 < float(str(found[Caution.STRICT].details["confidence"])) < 0.225
        assert catalog.search("padded box", caution=Caution.STRICT).stage == "name"
