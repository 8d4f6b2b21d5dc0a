/* The rows of a rule: adding, removing, grouping into sets, and showing only what fits the operator. */
(function () {
    "use strict";

    function makeRules(box) {
        const prefix = box.dataset.prefix;
        const shapes = JSON.parse(document.getElementById("tc-shapes").textContent);
        const sets = box.querySelector("[data-sets]");
        const total = box.querySelector("[name=" + prefix + "-TOTAL_FORMS]");
        const rowTemplate = box.querySelector("[data-row-template]");
        const setTemplate = box.querySelector("[data-set-template]");
        const match = document.getElementById(box.dataset.matchField);

        const part = (row, name) => row.querySelector('[data-part="' + name + '"]');
        const field = (row, name) => row.querySelector('[name$="-' + name + '"]');

        function tellChange() {
            box.dispatchEvent(new Event("tc-rows-changed", { bubbles: true }));
        }

        function shapeOf(row) {
            const fitting = shapes[field(row, "source").value] || {};
            return fitting[field(row, "operator").value] || "text";
        }

        function fitOperators(row) {
            const operator = field(row, "operator");
            const fitting = shapes[field(row, "source").value] || {};
            for (const option of operator.options) {
                const fits = option.value in fitting;
                option.hidden = !fits;
                option.disabled = !fits && !option.selected;
            }
        }

        function fit(row, isChange) {
            const source = field(row, "source").value;
            fitOperators(row);
            if (isChange) {
                const operator = field(row, "operator");
                const fitting = shapes[source] || {};
                if (!(operator.value in fitting)) operator.value = Object.keys(fitting)[0] || operator.value;
                fitOperators(row);
            }
            const shape = shapeOf(row);
            const isTyped = shape === "typed" || shape === "typed_lines";
            const kind = field(row, "kind");
            part(row, "attribute").hidden = source !== "attribute";
            part(row, "value").hidden = shape === "nothing";
            part(row, "text").hidden = shape === "nothing" || (shape === "times" && kind.value !== "json");
            part(row, "times").hidden = shape !== "times" || kind.value === "json";
            part(row, "percent").hidden = shape !== "number";
            part(row, "kind").hidden = !(isTyped || kind.value === "json");
            if (isChange && !isTyped && kind.value !== "json") kind.value = "text";
            const isKeywords = field(row, "operator").value.startsWith("contains_");
            row.querySelector('[data-more-field="whole_word"]').hidden = !isKeywords || source === "group";
            const says = box.dataset["says" + shape.replace(/(^|_)(\w)/g, (all, before, letter) => letter.toUpperCase())] || "";
            field(row, "text").placeholder = says;
        }

        function showNote(row) {
            const shown = row.querySelector("[data-note-shown]");
            shown.textContent = field(row, "note").value;
            shown.hidden = !shown.textContent;
        }

        function setOf(number) {
            let found = sets.querySelector('[data-set="' + number + '"]');
            if (found) return found;
            found = setTemplate.content.firstElementChild.cloneNode(true);
            found.dataset.set = number;
            found.querySelector("[data-set-number]").textContent = number;
            const later = Array.from(sets.children).find((other) => Number(other.dataset.set) > Number(number));
            if (later) later.before(found); else sets.append(found);
            return found;
        }

        function tidySets() {
            for (const set of Array.from(sets.children)) {
                const rows = Array.from(set.querySelectorAll("[data-row]"));
                const kept = rows.filter((row) => !row.hidden);
                set.hidden = kept.length === 0;
                set.style.display = set.hidden ? "none" : "";
            }
            const shown = Array.from(sets.children).filter((set) => !set.hidden);
            sets.querySelectorAll(".tc-or").forEach((or) => { or.style.display = ""; });
            if (shown.length) shown[0].querySelector(".tc-or").style.display = "none";
            box.querySelector("[data-first-words]").hidden = shown.length > 0;
            box.querySelector("[data-more-words]").hidden = shown.length === 0;
        }

        function addRow(number) {
            const index = Number(total.value);
            const holder = document.createElement("div");
            holder.innerHTML = rowTemplate.innerHTML.replace(/__prefix__/g, String(index));
            const row = holder.firstElementChild;
            field(row, "condition_set").value = number;
            setOf(number).querySelector("[data-rows]").append(row);
            total.value = String(index + 1);
            fit(row, false);
            tidySets();
            if (match && match.value === "always") {
                match.value = "rules";
                match.dispatchEvent(new Event("change", { bubbles: true }));
            }
            field(row, "text").focus();
            tellChange();
        }

        function removeRow(row) {
            row.querySelector("[data-delete]").checked = true;
            row.hidden = true;
            tidySets();
            tellChange();
        }

        function nextSet() {
            const numbers = Array.from(sets.children, (set) => (set.hidden ? 0 : Number(set.dataset.set)));
            return Math.max(0, ...numbers) + 1;
        }

        function showMatch() {
            if (!match) return;
            const rows = Array.from(sets.querySelectorAll("[data-row]")).filter((row) => !row.hidden);
            const isOff = match.value !== "rules";
            box.classList.toggle("tc-off", isOff && rows.length > 0);
            box.querySelector("[data-rules-off]").hidden = !(isOff && rows.length > 0);
            const params = document.querySelector(".field-match_params");
            if (params) params.closest(".form-row").style.display = match.value === "always" || match.value === "rules" ? "none" : "";
        }

        box.addEventListener("click", (event) => {
            const row = event.target.closest("[data-row]");
            if (event.target.closest("[data-add-set]")) addRow(nextSet());
            else if (event.target.closest("[data-add-row]")) addRow(event.target.closest("[data-set]").dataset.set);
            else if (event.target.closest("[data-remove-row]")) removeRow(row);
            else if (event.target.closest("[data-more]")) {
                const more = row.querySelector("[data-more-part]");
                more.hidden = !more.hidden;
                event.target.closest("[data-more]").setAttribute("aria-expanded", String(!more.hidden));
            }
            showMatch();
        });
        box.addEventListener("change", (event) => {
            const row = event.target.closest("[data-row]");
            if (!row) return;
            if (event.target === field(row, "source") || event.target === field(row, "operator") || event.target === field(row, "kind")) fit(row, true);
            if (event.target === field(row, "note")) showNote(row);
            if (event.target === field(row, "condition_set") && Number(event.target.value) >= 1) {
                setOf(event.target.value).querySelector("[data-rows]").append(row);
                tidySets();
            }
        });
        if (match) match.addEventListener("change", showMatch);

        for (const row of sets.querySelectorAll("[data-row]")) {
            if (row.querySelector("[data-delete]").checked) row.hidden = true;
            fit(row, false);
        }
        tidySets();
        showMatch();
    }

    function start() {
        document.querySelectorAll("[data-rules]").forEach(makeRules);
    }

    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start); else start();
})();
