/* Behaviour of form fields: pickers, JSON boxes, the new key, forms that submit themselves. No words: the page has them. */
(function () {
    "use strict";

    function makePicker(box) {
        const chosen = box.querySelector("[data-picker-chosen]");
        const template = box.querySelector("[data-picker-template]");
        const search = box.querySelector(".tc-picker-search > input");
        const options = box.querySelector(".tc-picker-options");
        const filter = box.querySelector("[data-picker-filter]");
        const isMany = box.hasAttribute("data-many");
        let timer = null;
        let turn = 0;
        let active = -1;

        const values = () => Array.from(chosen.querySelectorAll("input[type=hidden]"), (input) => input.value);

        function tellChange() {
            if (filter) filter.hidden = chosen.children.length < 8;
            box.dispatchEvent(new Event("change", { bubbles: true }));
        }

        function owner() {
            const field = document.getElementById(box.dataset.ownerField);
            return box.dataset.owner || (field ? field.value : "");
        }

        function add(choice) {
            if (values().includes(choice.value)) return;
            if (!isMany) chosen.replaceChildren();
            const item = template.content.firstElementChild.cloneNode(true);
            const input = item.querySelector("input[type=hidden]");
            input.name = box.dataset.name;
            input.value = choice.value;
            item.querySelector(".tc-picker-label").textContent = choice.label || choice.value;
            item.querySelector(".tc-picker-detail").textContent = choice.detail || "";
            const badge = item.querySelector(".tc-badge");
            badge.textContent = choice.badge || "";
            badge.hidden = !choice.badge;
            if (choice.colour) badge.classList.add("tc-" + choice.colour);
            const link = item.querySelector("[data-open]");
            link.hidden = !choice.url;
            if (choice.url) link.href = choice.url;
            chosen.append(item);
            tellChange();
        }

        function close() {
            options.hidden = true;
            search.setAttribute("aria-expanded", "false");
            active = -1;
        }

        function line(classes, texts) {
            const item = document.createElement("li");
            item.className = classes;
            for (const [text, name] of texts) {
                if (!text) continue;
                const part = document.createElement("span");
                part.className = name;
                part.textContent = text;
                item.append(part);
            }
            return item;
        }

        function show(answer, text) {
            const taken = new Set(values());
            options.replaceChildren();
            for (const choice of answer.choices) {
                if (taken.has(choice.value)) continue;
                const item = line("", [[choice.label || choice.value, "tc-picker-label"], [choice.detail, "tc-picker-detail"], [choice.badge, "tc-badge tc-" + choice.colour]]);
                item.setAttribute("role", "option");
                item.choice = choice;
                options.append(item);
            }
            const exact = answer.choices.some((choice) => choice.value === text || choice.label === text);
            if (box.hasAttribute("data-may-create") && text && !exact && !taken.has(text)) {
                const item = line("", [[box.dataset.saysCreate.replace("{}", text), "tc-picker-label"]]);
                item.setAttribute("role", "option");
                item.choice = { value: text, label: text };
                options.append(item);
            }
            if (!options.children.length) options.append(line("tc-quiet", [[box.dataset.saysNone, ""]]));
            if (answer.more) options.append(line("tc-quiet", [[box.dataset.saysMore, ""]]));
            options.hidden = false;
            search.setAttribute("aria-expanded", "true");
            move(0, true);
        }

        async function ask() {
            const mine = ++turn;
            const text = search.value.trim();
            const address = new URL(box.dataset.url, window.location.href);
            address.searchParams.set("q", text);
            address.searchParams.set("owner", owner());
            try {
                const response = await fetch(address, { headers: { Accept: "application/json" } });
                if (!response.ok) throw new Error(response.status);
                const answer = await response.json();
                if (mine === turn) show(answer, text);
            } catch (error) {
                if (mine !== turn) return;
                options.replaceChildren(line("tc-quiet", [[box.dataset.saysFailed, ""]]));
                options.hidden = false;
            }
        }

        function selectable() {
            return Array.from(options.querySelectorAll("[role=option]"));
        }

        function move(step, first) {
            const items = selectable();
            active = first ? 0 : Math.max(0, Math.min(items.length - 1, active + step));
            items.forEach((item, index) => item.setAttribute("aria-selected", String(index === active)));
            if (items[active] && !first) items[active].scrollIntoView({ block: "nearest" });
        }

        function choose(item) {
            add(item.choice);
            search.value = "";
            close();
            search.focus();
        }

        search.addEventListener("input", () => {
            clearTimeout(timer);
            timer = setTimeout(ask, 200);
        });
        search.addEventListener("focus", ask);
        search.addEventListener("blur", () => setTimeout(close, 150));
        search.addEventListener("keydown", (event) => {
            if (event.key === "ArrowDown" || event.key === "ArrowUp") {
                event.preventDefault();
                if (options.hidden) ask(); else move(event.key === "ArrowDown" ? 1 : -1);
            } else if (event.key === "Enter") {
                event.preventDefault();
                const item = selectable()[active];
                if (!options.hidden && item) choose(item);
            } else if (event.key === "Escape") {
                close();
            }
        });
        options.addEventListener("mousedown", (event) => {
            event.preventDefault();
            const item = event.target.closest("[role=option]");
            if (item) choose(item);
        });
        chosen.addEventListener("click", (event) => {
            const item = event.target.closest(".tc-picker-item");
            const mover = event.target.closest("[data-move]");
            if (event.target.closest("[data-remove]")) {
                item.remove();
                tellChange();
            } else if (mover) {
                const next = mover.dataset.move === "1" ? item.nextElementSibling : item.previousElementSibling;
                if (next) {
                    if (mover.dataset.move === "1") next.after(item); else next.before(item);
                    mover.focus();
                    tellChange();
                }
            }
        });
        if (isMany) makeSortable(chosen, tellChange);
        if (filter) {
            filter.hidden = chosen.children.length < 8;
            filter.querySelector("input").addEventListener("input", (event) => {
                event.stopPropagation();
                const text = event.target.value.trim().toLowerCase();
                for (const item of chosen.children) item.hidden = !item.textContent.toLowerCase().includes(text);
            });
            filter.querySelector("input").addEventListener("keydown", (event) => {
                if (event.key === "Enter") event.preventDefault();
            });
        }
    }

    function makeSortable(list, done) {
        let dragged = null;
        list.addEventListener("dragstart", (event) => {
            dragged = event.target.closest(".tc-picker-item");
            dragged.classList.add("tc-dragged");
            event.dataTransfer.effectAllowed = "move";
        });
        list.addEventListener("dragover", (event) => {
            const over = event.target.closest(".tc-picker-item");
            if (!dragged) return;
            event.preventDefault();
            if (!over || over === dragged) return;
            const middle = over.getBoundingClientRect().top + over.offsetHeight / 2;
            if (event.clientY < middle) over.before(dragged); else over.after(dragged);
        });
        list.addEventListener("dragend", () => {
            if (dragged) dragged.classList.remove("tc-dragged");
            dragged = null;
            done();
        });
    }

    function makeJson(box) {
        const text = box.querySelector("textarea");
        const state = box.querySelector("[data-json-state]");
        function judge() {
            let says = "";
            let isBad = false;
            if (text.value.trim()) {
                try {
                    JSON.parse(text.value);
                    says = box.dataset.saysFine;
                } catch (error) {
                    says = box.dataset.saysBroken;
                    isBad = true;
                }
            }
            state.textContent = says;
            state.classList.toggle("tc-bad", isBad);
            return !isBad;
        }
        text.addEventListener("input", judge);
        text.addEventListener("keydown", (event) => {
            if (event.key !== "Tab" || event.shiftKey || text.selectionStart !== text.selectionEnd) return;
            if (text.value.slice(0, text.selectionStart).trim() === "") return;
            event.preventDefault();
            text.setRangeText("  ", text.selectionStart, text.selectionEnd, "end");
        });
        box.querySelector("[data-json-tidy]").addEventListener("click", () => {
            if (!judge() || !text.value.trim() || /\d{16,}|\d[eE]|\.\d*0\b/.test(text.value)) return;  // numbers would be rewritten
            text.value = JSON.stringify(JSON.parse(text.value), null, 2);
            text.dispatchEvent(new Event("input", { bubbles: true }));
        });
        judge();
    }

    function makeCopy(box) {
        const field = box.querySelector("input");
        const button = box.querySelector("[data-copy-button]");
        field.addEventListener("focus", () => field.select());
        button.addEventListener("click", async () => {
            field.select();
            try {
                await navigator.clipboard.writeText(field.value);
            } catch (error) {
                document.execCommand("copy");
            }
            button.querySelector("[data-copy-words]").textContent = button.dataset.saysCopied;
        });
    }

    function showTarget() {
        const target = document.getElementById("id_target");
        if (!target) return;
        function update() {
            for (const option of target.options) {
                const line = document.querySelector(".field-" + option.value);
                const row = line && line.closest(".form-row");
                if (row) row.hidden = option.value !== target.value;
                if (row) row.style.display = option.value === target.value ? "" : "none";
            }
        }
        target.addEventListener("change", update);
        update();
    }

    function showDependents() {
        for (const [name, dependent, shown] of [["which_groups", "groups", "some"], ["which_suffix", "suffix", "own"], ["execution", "callback", "callback"]]) {
            const field = document.getElementById("id_" + name);
            const line = document.querySelector(".field-" + dependent);
            if (!field || !line) continue;
            const row = line.closest(".form-row");
            const update = () => { row.style.display = field.value === shown ? "" : "none"; };
            field.addEventListener("change", update);
            update();
        }
    }

    function start() {
        document.querySelectorAll("[data-picker]").forEach(makePicker);
        document.querySelectorAll("[data-json]").forEach(makeJson);
        document.querySelectorAll("[data-copy]").forEach(makeCopy);
        document.querySelectorAll("[data-submits]").forEach((field) => field.addEventListener("change", () => field.form.submit()));
        document.querySelectorAll("[data-reloads]").forEach((field) => field.addEventListener("change", () => {
            const other = field.form.elements[field.dataset.reloads];
            if (other) other.value = "";
            field.form.submit();
        }));
        const secret = document.querySelector("[data-forget-address]");
        if (secret) window.history.replaceState(null, "", secret.dataset.forgetAddress);
        showTarget();
        showDependents();
    }

    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start); else start();
})();
