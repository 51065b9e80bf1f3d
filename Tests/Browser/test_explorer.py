"""The explorer's page in Chromium: with the mouse, with keys alone, and with hostile archives."""

import datetime
import json
import plistlib
import re

from axe_core_python.selenium import Axe
from browser import ARCHIVES, CORPUS, PageTest, archtool
from selenium.webdriver.common.keys import Keys

CYCLE = ARCHIVES / "Graphs/cycle"
SHARED = ARCHIVES / "Graphs/shared-references"
VALUES = ARCHIVES / "Graphs/value-classes"
FEED = ARCHIVES / "WeatherFeed/v1-50-cities"

HOSTILE = [
    "</script><script>window.harmed = 1</script>", "<img src=x onerror='window.harmed = 1'>",
    "<!--<script>", "]]>", "{{SCRIPT}}", "\x1b[31mred\x1b[0m", "\u202egnp.exe\u2066", "a\u2028b\u2029c",
    "javascript:window.harmed=1", "\"><svg onload=window.harmed=1>", "&lt;b&gt;", "\\u003c", "${harmed}",
]


class Reading(PageTest):
    def test_shows_the_tree_without_any_request(self):
        self.open(CYCLE)
        self.assertEqual(self.rows(), ["$: App.Person (2)", 'name: "Ada"', "partner: App.Person (2)"])
        self.assertEqual(self.script("return performance.getEntriesByType('resource').length"), 0)
        self.assertEqual(self.path(), "$")

    def test_keys_alone_reach_everything(self):
        self.open(CYCLE)
        for _ in range(20):
            self.press(Keys.TAB)
            if self.script("return document.activeElement.id") == "tree":
                break
        self.press(Keys.DOWN, Keys.DOWN, Keys.RIGHT, Keys.DOWN, Keys.DOWN)
        self.assertEqual(self.path(), "$.partner.partner")
        self.assertIn("cycle", self.texts("#tree .badge"))
        self.press(Keys.LEFT)
        self.assertEqual(self.path(), "$.partner")
        self.press(Keys.LEFT, Keys.LEFT)
        self.assertEqual(self.path(), "$")
        self.press("/", "Bob")
        self.press(Keys.DOWN)
        self.assertEqual(self.path(), "$.partner.name")
        self.press("g", "/partner/name", Keys.ENTER)
        self.assertEqual(self.path(), "$.partner.name")
        self.press("q", "$..name", Keys.ENTER)
        self.assertEqual(self.texts("#results .key"), ["$.name", "$.partner.name"])
        self.press("b")
        self.assertEqual(self.script("return document.querySelector('#pane-tree').hidden"), False)

    def test_a_tree_has_the_roles_and_states_of_one(self):
        self.open(CYCLE)
        row = self.script(
            "const r = document.querySelectorAll('#tree .row')[2];"
            "return ['role', 'aria-level', 'aria-setsize', 'aria-posinset', 'aria-expanded', 'aria-selected']"
            ".map(n => r.getAttribute(n))")
        self.assertEqual(row, ["treeitem", "2", "2", "2", "false", "false"])
        self.assertEqual(self.find("#tree").get_attribute("aria-activedescendant"), "tree-0")

    def test_search_finds_keys_values_and_classes(self):
        self.open(VALUES)
        for text, found in [
            ("UUID", ["$.uuid"]), ("seven", ["$.integerKeys['#17']"]), ("url", ["$.url"]),
            ("922337", ["$.big", "$.small"]), ("nothing like that", []),
        ]:
            box = self.find("#search")
            box.clear()
            box.send_keys(text)
            self.frame()
            self.frame()
            keys = [re.sub(r"#\d+", "#17", key) for key in self.texts("#results .key")]
            self.assertEqual(keys, found, text)

    def test_search_finds_an_object_once_however_many_refer_to_it(self):
        for archive, text in [(SHARED, "NSArray"), (SHARED, "x"), (CYCLE, "Person"), (FEED, "London")]:
            self.open(archive)
            found = self.script("return new Search(explorer.model).find(arguments[0])"
                                ".map((edge) => edge < 0 ? 0 : explorer.model.child[edge])", text)
            self.assertTrue(found, text)
            self.assertEqual(len(found), len(set(found)), text)

    def test_references_lead_there_and_back(self):
        self.open(SHARED)
        self.script("explorer.go(findPath(explorer.model, '$.first'))")
        self.frame()
        self.assertEqual(self.texts("#tree .badge.shared"), ["shared", "shared"])
        referrers = self.texts("#details section:nth-last-of-type(2) .key")
        self.assertEqual(referrers, ["$.first", "$.second"])
        # The class is that of the container, which is said.
        for holder in self.texts("#details section:nth-last-of-type(2) .value"):
            self.assertTrue(holder.startswith("in "), holder)
        self.assertNotIn("Chain", self.texts("#details dt"))
        self.driver.find_elements("css selector", "#details section:nth-last-of-type(2) .reference")[1].click()
        self.frame()
        self.assertEqual(self.path(), "$.second")
        self.find("#back").click()
        self.assertEqual(self.path(), "$.first")
        self.find("#forward").click()
        self.assertEqual(self.path(), "$.second")

    def test_paths_stand_in_three_languages(self):
        self.open(self.plist("keys", {"a b": {"it's/~": [1]}}))
        self.script("explorer.go(findPath(explorer.model, '/a b/it\\'s~1~0/0'))")
        self.assertEqual(self.texts("#details .path code"), [
            "$['a b']['it\\'s/~'][0]", "$['a b']['it\\'s/~'][0]", "/a b/it's~1~0/0"])
        for path in self.texts("#details .path code"):
            self.assertEqual(self.script(
                "return explorer.model.text(explorer.model.child[findPath(explorer.model, arguments[0]).at(-1)])",
                path), "1")

    def test_paths_are_found_in_every_notation(self):
        self.open(self.plist("notations", {"a.b": {"c:d": [1, 2]}, "$e": {"f": [1, 2]}}))
        for path in ("$['a.b']['c:d'][1]", "/a.b/c:d/1", ":a.b:c\\:d:1", "a\\.b.c:d.1", "$e.f.1", ":$e:f:1"):
            self.assertEqual(self.script(
                "return explorer.model.text(explorer.model.child[findPath(explorer.model, arguments[0]).at(-1)])",
                path), "2", path)
        for path in ("a.b", "$.e", "/$e/f/01", ":$e:f:2"):
            self.assertIsNone(self.script("return findPath(explorer.model, arguments[0])", path), path)

    def test_archives_in_data_open_in_place(self):
        inner = plistlib.dumps({"inside": [7]}, fmt=plistlib.FMT_BINARY)
        self.open(self.plist("nested", {"blob": inner}))
        self.script("explorer.go(findPath(explorer.model, '$.blob.inside[0]'))")
        self.frame()
        self.assertEqual(self.path(), "$.blob⟨binary property list⟩.inside[0]")
        self.assertEqual(self.rows()[1:], [
            f"blob: data ({len(inner)} bytes) ⟨binary property list⟩ dictionary (1)",
            "inside: array (1)", "[0]: 7"])

    def test_bytes_show_the_parts_of_the_encoding(self):
        self.open(self.plist("bytes", {"text": "x" * 20}))
        self.script("explorer.go(findPath(explorer.model, '$.text'))")
        self.frame()
        self.frame()
        self.assertEqual(self.texts("#details .legend li"), [
            "marker 0x5f: ASCII string (1)", "count (2)", "characters (20)"])
        hexadecimal = archtool("dump", "--hex", "$.text", self.folder / "bytes")
        shown = "".join(self.texts("#details .hexrow span")).replace(" ", "")
        self.assertTrue(shown.startswith("5f1014"), shown)
        offset = re.search(r"bytes? (\d+)", hexadecimal)[1]
        self.assertIn(f"{offset} (0x{int(offset):x})", self.texts("#details dd"))

    def test_bytes_of_a_text_are_those_at_its_offset(self):
        path = self.folder / "text.plist"
        path.write_bytes(plistlib.dumps({"a": "first", "b": "second"}))
        self.open(path)
        self.script("explorer.go(findPath(explorer.model, '$.b'))")
        self.frame()
        self.frame()
        offset = path.read_bytes().index(b"<string>second")
        self.assertIn(f"{offset} (0x{offset:x})", self.texts("#details dd"))
        self.assertEqual(self.texts("#details .hexrow")[0][:30], f"{offset:08x}  3c 73 74 72 69 6e 67")

    def test_a_class_filters_the_values(self):
        self.open(VALUES)
        self.find("#tab-classes").click()
        names = self.texts("#classes .name")
        self.driver.find_elements("css selector", "#classes .bar")[names.index("NSUUID")].click()
        self.frame()
        self.assertEqual(self.texts("#results .key"), ["$.uuid"])

    def test_marks_what_does_not_fit_a_schema(self):
        schema = self.folder / "five.schema.json"
        schema.write_text('{"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": '
                          '{"a": {"type": "string"}}, "required": ["b"]}')
        self.open(self.plist("five", {"a": 5}), "--schema-file", schema)
        self.assertIn("2 errors", self.texts("#marks button"))
        rows = self.script("return [...document.querySelectorAll('#tree .row')].map(r => "
                           "[r.querySelector('.key').textContent, r.querySelectorAll('.badge.error').length])")
        self.assertEqual(rows, [["$", 1], ["a", 1]])

    def test_marks_what_differs_from_another_file(self):
        old = self.plist("old", {"a": 1, "gone": True, "same": "x"})
        self.open(self.plist("new", {"a": 2, "more": 3, "same": "x"}), "--diff", old)
        self.assertEqual(sorted(self.texts("#marks button")), ["1 added", "1 changed", "1 removed"])
        self.script("explorer.go(findPath(explorer.model, '$.a'))")
        self.assertEqual(self.texts("#details .marks li"), ["changedwas 1"])


class Queries(PageTest):
    def results(self, query, root=0):
        """The normalized paths of the results in the page; the message of an invalid query."""
        return self.script(
            "const m = explorer.model, root = arguments[1]; try {"
            "return new Query(m, arguments[0]).run(root).map(t => jsonPathOf(stepsOf(m, t)));"
            "} catch (e) { if (e instanceof QueryError) return e.message; throw e; }", query, root)

    def test_queries_answer_as_the_command_does(self):
        day = datetime.datetime(2020, 1, 1)
        values = self.plist("values", {
            "day": day, "data": b"abc", "n": [1, 2.5, 2**63 - 1, -3, True], "s": "\U0001f600e\u0301",
            "nested": plistlib.dumps({"n": [1, {"x": None and 0 or 0}]}, fmt=plistlib.FMT_BINARY)})
        queries = [
            "$..*", "$", "$.*", "$..n", "$..n[?@ > 2]", "$..[?@ == 1]", "$..[?type(@) == 'real']",
            "$..[?type(@) == 'data']", "$..[?class(@) == 'NSArray']", "$..[?isa(@, 'NSObject')]",
            "$..[?size(@) == 3]", "$..[?length(@) == 3]", "$..[?@ > '2019-12-31T23:59:59Z']",
            "$..[?@ == '2020-01-01T00:00:00Z']", "$..[?@ == 'YWJj']", "$.n[::-1]", "$.n[-2:]", "$.n[-1]", "$.n[-9]", "$..name",
            "$..[?match(@, 'A.*')]", "$..[?search(@, '[a-c]')]", "$[?count(@.*) > 1]", "$..[?@.Value > 20]",
            "$..[?@ == 9223372036854775807]", "$..[?@.n == $.n]", "$..[?value(@.*) == 1]",
        ]
        for archive in (values, CYCLE, SHARED, VALUES, FEED):
            self.open(archive)
            for query in queries:
                expected = archtool("query", "-q", "--format", "paths", query, archive).splitlines()
                self.assertEqual(self.results(query), expected, f"{query} of {archive}")

    def test_the_compliance_cases_of_rfc_9535(self):
        suite = CORPUS / "suites/jsonpath/cts.json"
        if not suite.exists():
            self.skipTest("the compliance suite is not there")
        content = json.loads(suite.read_text())
        cases = content["tests"] if isinstance(content, dict) else content
        documents = self.folder / "documents.json"
        documents.write_text(json.dumps([case.get("document") for case in cases]))
        self.open(documents)
        for index, case in enumerate(cases):
            # The case's own document is the root of the query.
            root = self.script("return explorer.model.child[explorer.model.start[0] + arguments[0]]", index)
            result = self.results(case["selector"], root)
            if case.get("invalid_selector"):
                self.assertIsInstance(result, str, case["name"])
            else:
                self.assertIn(result, case.get("results_paths") or [case["result_paths"]], case["name"])

    def test_an_invalid_query_is_explained(self):
        self.open(CYCLE)
        self.find("#query").send_keys("$.a[", Keys.ENTER)
        self.assertIn("at character 5", self.texts("#message")[0])
        self.assertEqual(self.find("#query").get_attribute("aria-invalid"), "true")


class Hostile(PageTest):
    def test_texts_of_an_archive_are_never_markup(self):
        page = self.open(self.plist("hostile", {
            "keys": {text: 1 for text in HOSTILE}, "values": HOSTILE}))
        self.script("for (let i = 0; i < explorer.tree.list.rows.length; i++) explorer.tree.toggle(i, true)")
        self.frame()
        self.assertIsNone(self.script("return window.harmed ?? null"))
        self.assertEqual(self.script("return document.scripts.length"), 3)
        self.assertEqual(self.script("return document.querySelectorAll('img, svg, iframe').length"), 0)
        self.assertEqual(self.script(
            "const m = explorer.model; return Array.from({length: arguments[0]}, (_, i) => "
            "m.text(m.child[findPath(m, `$.values[${i}]`).at(-1)]))", len(HOSTILE)), HOSTILE)
        for text in self.texts("#tree .row"):
            self.assertNotRegex(text, "[\x00-\x1f\u202a-\u202e\u2066-\u2069\u2028\u2029]")
        self.assertNotIn("\x1b", page.read_text())
        for index in range(len(HOSTILE)):
            self.script("explorer.go(findPath(explorer.model, `$.values[${arguments[0]}]`))", index)
        self.assertIsNone(self.script("return window.harmed ?? null"))

    def test_the_policy_admits_no_other_script(self):
        self.open(CYCLE)
        refused = self.script(
            "const s = document.createElement('script'); s.textContent = 'window.harmed = 1';"
            "document.body.append(s); return window.harmed ?? null")
        self.assertIsNone(refused)
        messages = [entry["message"] for entry in self.driver.get_log("browser")]
        self.assertTrue(any("Content Security Policy" in message for message in messages), messages)

    def test_the_name_of_a_file_is_text(self):
        path = self.plist("<b>&amp;'.plist", {"a": 1})
        self.open(path)
        self.assertEqual(self.texts("h1"), [str(path)])


class Looks(PageTest):
    def background(self):
        return self.script("return getComputedStyle(document.body).backgroundColor")

    def test_dark_and_light_follow_the_system_and_the_switch(self):
        self.open(CYCLE)
        light = self.background()
        self.find("#theme").click()
        dark = self.background()
        self.assertNotEqual(light, dark)
        self.find("#theme").click()
        self.assertEqual(self.background(), light)
        self.open(CYCLE, dark=True)
        self.assertEqual(self.background(), dark)

    def test_no_width_needs_a_horizontal_scroll(self):
        for width in (320, 390, 760, 1280, 2560):
            self.open(FEED, width=width)
            wide = self.script("return document.documentElement.scrollWidth")
            self.assertLessEqual(wide, width)

    def test_nothing_violates_the_rules_of_axe(self):
        for width, dark in ((390, False), (1280, False), (1280, True)):
            self.open(FEED, "--schema", "Movie", width=width, dark=dark)
            for pane in ("tree", "results", "classes"):
                self.script("explorer.query('$..Value'); explorer.showPane(arguments[0])", pane)
                self.frame()
                result = Axe().run(self.driver)
                self.assertGreater(len(result["passes"]), 15)
                found = result["violations"]
                self.assertEqual(
                    [(rule["id"], node["html"], node["failureSummary"]) for rule in found for node in rule["nodes"]],
                    [], f"{pane} at {width}")


class Large(PageTest):
    def test_a_hundred_thousand_values(self):
        archive = self.plist("large", [
            {"name": f"city {i}", "at": i * 1.5, "index": i, "even": i % 2 == 0, "tags": [f"tag {i}", i]}
            for i in range(17_000)])
        page = self.open(archive)
        self.assertGreater(self.script("return explorer.model.child.length"), 100_000)
        typed = len(archtool("dump", "--typed", archive).encode())
        self.assertLessEqual(page.stat().st_size, typed + 200_000)
        self.find("#search").send_keys("city 16999")
        self.frame()
        self.frame()
        self.assertEqual(self.texts("#results .value"), ['"city 16999"'])
        self.press(Keys.ESCAPE, Keys.END)
        self.assertEqual(self.path(), "$[16999]")
        self.assertLess(self.script("return document.querySelectorAll('#tree .row').length"), 100)
        frames = self.driver.execute_async_script(
            "const done = arguments[0], tree = document.querySelector('#tree'); tree.scrollTop = 0; let n = 0;"
            "const start = performance.now(); (function next() { tree.scrollTop += 300;"
            "if (++n < 60) requestAnimationFrame(next); else done(60000 / (performance.now() - start)); })()")
        paint, ready = self.script(
            "return [performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1,"
            "performance.getEntriesByName('ready')[0].startTime]")
        search = self.script("return explorer.searchTime")
        print(f"\n{page.stat().st_size} bytes ({typed} as typed JSON), first paint {paint:.0f} ms, ready {ready:.0f} ms, "
              f"search {search:.0f} ms, {frames:.0f} frames a second")


if __name__ == "__main__":
    import unittest
    unittest.main()
