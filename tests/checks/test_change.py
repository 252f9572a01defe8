"""portolan change: two contents whose differences the test knows. What is new, gone, changed and touched; rates as
compare has them; verdicts; draws worked out by hand; pictures with a mark on each tile that differs; the reports;
which findings fail, and which are allowed; and the files of tools/workflows, whose commands are run."""

import base64
import copy
import csv
import html.parser
import io
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ET

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "cli"))
from support import COMMAND, SOURCE, CommandTest, run  # noqa: E402 pylint: disable=wrong-import-position

try:
    import yaml
except ImportError:
    yaml = None

ROWS = [" " * 24] * 8 + [" " * 8 + "#" * 8 + " " * 8] + [" " * 8 + "#......#" + " " * 8] * 6 + \
       [" " * 8 + "####+###" + " " * 8] + [" " * 24] * 8
CHUNK = {"mapgensize": [2, 2], "rows": ["##", "##"], "palettes": ["walls"]}
INFO = [{"type": "MOD_INFO", "id": "mymod", "name": "My mod", "dependencies": ["portolan"]}]
BEFORE = [
    {"type": "overmap_terrain", "id": ["tower", "shed", "hall"], "name": "x", "sym": "W", "color": "red"},
    {"type": "overmap_terrain", "id": "ruin", "name": "ruin", "sym": "R", "color": "red"},
    {"type": "overmap_terrain", "abstract": "base_ruin", "name": "ruin", "sym": "R", "color": "red"},
    {"type": "overmap_special", "id": "Tower", "overmaps": [{"point": [0, 0, 0], "overmap": "tower_north"}],
     "locations": ["forest"], "city_distance": [4, -1], "occurrences": [1, 2]},
    {"type": "overmap_special", "id": "Rarity", "overmaps": [{"point": [0, 0, 0], "overmap": "shed_north"}],
     "locations": ["forest"], "occurrences": [1, 200], "flags": ["UNIQUE"]},
    {"type": "overmap_special", "id": "Often", "overmaps": [{"point": [0, 0, 0], "overmap": "hall_north"}],
     "locations": ["land"], "occurrences": [9, 10], "flags": ["UNIQUE"]},
    {"type": "overmap_special", "id": "Pair", "locations": ["land"], "occurrences": [0, 2], "overmaps": [
        {"point": [0, 0, 0], "overmap": "shed_north"}, {"point": [1, 0, 0], "overmap": "hall_north"},
        {"point": [0, 0, 1], "overmap": "hall_north"}]},
    {"type": "palette", "id": "walls", "terrain": {"#": "t_wall_timber", "+": "t_door_closed"}},
    {"type": "palette", "id": "rooms", "palettes": ["walls"], "terrain": {".": "t_floor_wood"}},
    {"type": "item_group", "id": "loot", "subtype": "distribution",
     "entries": [{"item": "log", "prob": 30}, {"item": "rock", "prob": 70}]},
    {"type": "item_group", "id": "much", "subtype": "collection",
     "entries": [{"group": "loot", "prob": 50}, {"item": "log", "count": 2}]},
    {"type": "mapgen", "nested_mapgen_id": "nook", "object": CHUNK},
    {"type": "mapgen", "om_terrain": "tower", "weight": 300, "object": {
        "fill_ter": "t_grass", "palettes": ["rooms"], "rows": ROWS}},
    {"type": "mapgen", "om_terrain": "tower", "weight": 100, "object": {"fill_ter": "t_dirt"}},
    {"type": "mapgen", "om_terrain": "shed", "object": {
        "fill_ter": "t_grass", "place_nested": [{"chunks": ["nook"], "x": 5, "y": 5}]}},
    {"type": "mapgen", "om_terrain": "hall", "object": {"fill_ter": "t_dirt"}},
]
FEW = ["--overmaps", "20"]
MOST = 65536


def changed(*edits):
    """The content with some objects edited: (type, id, function or None for removing); or (object,) to add one."""
    content = copy.deepcopy(BEFORE)
    for edit in edits:
        if len(edit) == 1:
            content.append(edit[0])
            continue
        kind, name, change = edit
        found = [o for o in content if o["type"] == kind and name in
                 (o.get("id"), o.get("om_terrain"), o.get("nested_mapgen_id"), o.get("abstract"))]
        assert found, edit
        if change is None:
            content.remove(found[0])
        else:
            change(found[0])
    return content


def put(**members):
    return lambda o: o.update(members)


class Page(html.parser.HTMLParser):
    """What is in a report."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.images, self.paths, self.text, self.open = [], [], [], "", []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs))
        if tag not in ("meta", "br", "img", "input"):
            self.open.append(tag)
        if tag == "img":
            self.images.append(attrs["src"])
        if tag == "path" and "class" not in attrs:
            self.paths.append(attrs["d"])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.open)

    def handle_data(self, data):
        if "style" not in self.open:
            self.text += data


def size_of(data_uri):
    data = base64.b64decode(data_uri.partition(",")[2], validate=True)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


class ChangeTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.put("old", BEFORE)

    def put(self, folder, content, **how):
        os.makedirs(self.path(folder), exist_ok=True)
        with open(os.path.join(self.path(folder), "a.json"), "w", encoding="utf-8") as file:
            json.dump(content, file, **(how or {"indent": 1}))
        with open(os.path.join(self.path(folder), "modinfo.json"), "w", encoding="utf-8") as file:
            json.dump(INFO, file)
        return self.path(folder)

    def change(self, *more, code=0, builtin=("--builtin",), new="new", form="json"):
        result = run("change", *builtin, "--before", self.path("old"), "--after", self.path(new),
                     "--format", form, "-q", *more)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return json.loads(result.stdout) if form == "json" else result.stdout

    def found(self, report):
        return sorted((f["code"], f["id"]) for f in report["findings"])


class Definitions(ChangeTest):
    QUICK = ["--without", "rates,coverage,loot,seams,pictures"]

    def definitions(self, *edits, code=0):
        self.put("new", changed(*edits))
        report = self.change(*self.QUICK, code=code)
        return [(d["change"], d["kind"], d["id"]) for d in report["definitions"]], report

    def test_form_does_not_count(self):
        """Blanks, lines, comments, and the order of objects and files."""
        content = changed(("palette", "walls", put(**{"//": "timber, [all] \"of\" it", "//2": [{"a": [1]}]})))
        content[0] = {"//": "first", **content[0]}
        content[12:14] = content[13], content[12]  # both entries of the tower
        self.put("new", content[:5] + content[9:], separators=(",", ":"))
        with open(self.path("new/b.json"), "w", encoding="ascii") as file:
            file.write("\n\n" + json.dumps(content[5:9], indent=7))
        report = self.change(*self.QUICK)
        self.assertEqual((report["definitions"], report["findings"]), ([], []))

    def test_what_is_new_gone_and_changed(self):
        rows, report = self.definitions(
            ("palette", "walls", put(terrain={"#": "t_wall_log", "+": "t_door_closed"})), ("mapgen", "hall", None),
            ({"type": "item_group", "id": "few", "entries": [{"item": "log"}]},),
            ("overmap_terrain", "base_ruin", None), ({"type": "region_overlay", "regions": ["all"]},))
        self.assertEqual(rows, [("new", "item_group", "few"), ("new", "region_overlay", ""),
                                ("gone", "overmap_terrain", "base_ruin"), ("gone", "mapgen", "hall"),
                                ("changed", "palette", "walls")])
        with open(self.path("new/a.json"), encoding="ascii") as file:
            lines = file.read().split("\n")
        walls = next(d for d in report["definitions"] if d["id"] == "walls")
        self.assertEqual(walls["file"], self.path("new/a.json"))
        self.assertEqual(lines[walls["line"]:walls["line"] + 2], ['  "type": "palette",', '  "id": "walls",'])

    def test_texts_that_are_hard_to_read(self):
        """Brackets, quotes and slashes in strings; keys that stand twice; additions of the games; an object that is
        no JSON, behind which the import goes on, and a file that ends within one."""
        hard = [{"type": "overmap_land_use_code", "id": "}]\", {[", "name": "// \\", "//": "\"}"}, {"type": "x", "type2": []}]
        text = json.dumps(BEFORE + hard, indent=1)
        for folder in "old", "new":
            self.put(folder, [])
            self.write(folder + "/a.json", text)
        lines = text.split("\n")
        at = lines.index('  "id": "rooms",') - 1  # the palette's first line is the brace before
        broken = lines[:at] + [' "palette" 5,'] + lines[at + 1:]
        broken[broken.index('  "id": "much",')] = '  "id": "much", // not all of it\n  "id": "more",'
        self.write("new/a.json", "\n".join(broken[:-2]) + '\n  , "more": {')
        report = self.change(*self.QUICK, code=1)
        self.assertEqual([(d["change"], d["kind"], d["id"]) for d in report["definitions"]],
                         [("new", "item_group", "more"), ("gone", "palette", "rooms"), ("gone", "item_group", "much"),
                          ("gone", "x", "")])
        more = report["definitions"][0]
        self.assertEqual("\n".join(broken).split("\n")[more["line"] - 1], " {")

    def test_an_id_that_is_gone_fails(self):
        """An abstract one does not, nor a group: worlds have none of them; nor one that a migration replaces."""
        _, report = self.definitions(("overmap_terrain", "ruin", None), ("item_group", "much", None),
                                     ("overmap_terrain", "base_ruin", None), code=1)
        self.assertEqual(self.found(report), [("CHG001", "ruin")])
        self.assertEqual(report["findings"][0]["file"], self.path("old/a.json"))
        rows, report = self.definitions(("overmap_terrain", "ruin", None), (
            {"type": "oter_id_migration", "oter_ids": {"ruin": "tower"}},))
        self.assertIn(("gone", "overmap_terrain", "ruin"), rows)
        self.assertEqual(report["findings"], [])
        self.assertIn("migration", next(d["note"] for d in report["definitions"] if d["id"] == "ruin"))

    def test_objects_of_one_id(self):
        """An id that is abstract once and not another time is one that worlds may have; of several objects of an id
        the one that differs is named."""
        self.put("old", BEFORE + [{"type": "overmap_terrain", "abstract": "both", "name": "x", "sym": "x"},
                                  {"type": "overmap_terrain", "id": "both", "copy-from": "both", "color": "red"}])
        content = changed()
        content[13]["object"]["fill_ter"] = "t_grass"  # the second entry of the tower
        self.put("new", content)
        report = self.change(*self.QUICK, code=1)
        self.assertEqual(self.found(report), [("CHG001", "both")])
        with open(self.path("new/a.json"), encoding="ascii") as file:
            before = file.read().split("\n")[:next(d for d in report["definitions"] if d["id"] == "tower")["line"]]
        self.assertEqual(sum('"om_terrain": "tower"' in line for line in before), 1)

    def test_equal_remarks_are_counted(self):
        def wrong(*locations):
            return ("overmap_special", "Tower", put(locations=list(locations)))
        self.put("old", changed(wrong("nowhere", "nowhere")))
        self.assertEqual(self.definitions(wrong("nowhere", "nowhere"))[1]["remarks"], [])
        self.assertEqual(len(self.definitions(wrong("nowhere", "nowhere", "nowhere"), code=1)[1]["remarks"]), 1)
        # A remark can't be allowed.
        allow = self.write("allow", "Tower\n")
        report = self.change(*self.QUICK, "--allow", allow, "--max-warnings", "9", code=1)
        self.assertIn(("CHG004", "Tower"), self.found(report))

    def test_new_remarks(self):
        wrong = ("overmap_special", "Tower", put(locations=["forrest"]))
        _, report = self.definitions(wrong, code=1)
        self.assertEqual([(f["code"], f["severity"], f["id"]) for f in report["findings"]],
                         [("CHG004", "error", "Tower")])
        self.assertIn("forest", report["remarks"][0]["message"])
        self.put("old", changed(wrong))  # what was wrong before is not new
        _, report = self.definitions(wrong)
        self.assertEqual((report["remarks"], report["findings"]), ([], []))

    def test_packs(self):
        self.put("new", changed(("overmap_terrain", "ruin", None)))
        self.assertEqual(len(self.change(*self.QUICK, "--pack", "mymod", code=1)["definitions"]), 1)
        report = self.change(*self.QUICK, "--pack", "portolan")
        self.assertEqual((report["definitions"], report["findings"]), ([], []))
        self.failed(2, "no pack", "change", "--builtin", "--before", self.path("old"), "--after",
                    self.path("new"), "--pack", "mymood", *self.QUICK)


class Rates(ChangeTest):
    QUICK = ["--without", "coverage,loot,seams,pictures", "--overmaps", "60"]
    MORE = ("overmap_special", "Tower", put(occurrences=[6, 12]))

    def test_rates_are_those_of_compare(self):
        self.put("new", changed(self.MORE))
        report = self.change(*self.QUICK, "--max-change", "2", "--seed", "7", code=1)
        for side in ("old", "new"):
            self.done("import", self.path(side + ".db"), "--builtin", self.path(side))
            self.done("sweep", self.path(side + ".db"), "s", "--seeds", "7..66", "-q")
        result = run("compare", self.path("old.db"), self.path("new.db"), "--all", "--max-change", "2",
                     "--format", "json", "-q")
        theirs = {r["id"]: r for r in json.loads(result.stdout)["specials"]}
        self.assertEqual({r["special"] for r in report["rates"]}, set(theirs))
        for row in report["rates"]:
            for key in ("a_sum", "b_sum", "ratio", "p", "adjusted_p", "significant", "beyond"):
                self.assertEqual(row[key], theirs[row["special"]][key], (row, key))
        self.assertEqual(self.found(report), [("CHG002", "Tower")])

    def test_max_change_and_what_is_allowed(self):
        self.put("new", changed(self.MORE, ("overmap_terrain", "ruin", None)))
        self.assertEqual(self.found(self.change(*self.QUICK, "--max-change", "30", code=1)), [("CHG001", "ruin")])
        self.assertEqual(self.found(self.change(*self.QUICK, code=1)), [("CHG001", "ruin")])
        allow = self.write("allow", "# towers, and\n\nTower more of them\nruin\tnobody has it\r\nnothing else\n")
        report = self.change(*self.QUICK, "--max-change", "2", "--allow", allow)
        self.assertEqual([(f["code"], f["id"], f["line"]) for f in report["findings"]], [("CHG008", "nothing", 5)])
        self.change(*self.QUICK, "--max-change", "2", "--allow", allow, "--max-warnings", "0", code=1)
        self.failed(1, "none.txt", "change", "--builtin", "--after", self.path("new"), "--allow",
                    self.path("none.txt"))

    def test_what_the_sample_could_have_seen(self):
        """More overmaps show smaller changes; a change as large as is said is found, a much smaller one is not."""
        shutil.copytree(self.path("old"), self.path("new"))
        few, many = ({r["special"]: r for r in self.change(*self.QUICK[:3], n)["rates"]} for n in ("30", "120"))
        for name in ("Tower", "Pair"):
            for key in ("visible_more", "visible_fewer"):
                self.assertTrue(1 < many[name][key] < few[name][key], (name, few[name], many[name]))
        self.assertIsNone(few["Rarity"]["visible_fewer"])  # one in 200 overmaps
        factor = many["Tower"]["visible_more"]
        # One more tower in each overmap, which had 1.5 asked for: more than that factor.
        self.assertLess(factor, 1.6)
        self.put("new", changed(("overmap_special", "Tower", put(occurrences=[2, 3]))))
        rows = {r["special"]: r for r in self.change(*self.QUICK[:3], "120")["rates"]}
        self.assertEqual((rows["Tower"]["change"], rows["Tower"]["significant"]), ("more", "yes"))

    def test_junit(self):
        self.put("new", changed(self.MORE, ("overmap_terrain", "ruin", None)))
        rates = {r["special"]: r for r in self.change(*self.QUICK, code=1)["rates"]}
        often = rates["Often"]  # in nine of ten overmaps: it can hardly become more frequent
        self.assertIsNone(often["visible_more"])
        factor = max(2, often["visible_fewer"] * 1.01)
        suite = ET.fromstring(self.change(*self.QUICK, "--max-change", str(factor), code=1, form="junit"))[0]
        cases = {(c.get("classname"), c.get("name")): c for c in suite.iter("testcase")}
        self.assertEqual(int(suite.get("tests")), len(cases))
        self.assertEqual({n for (_, n), c in cases.items() if c.find("failure") is not None}, {"Tower", "ruin"})
        skipped = {n: c.find("skipped").get("message") for (_, n), c in cases.items()
                   if c.find("skipped") is not None}
        self.assertEqual((int(suite.get("failures")), int(suite.get("skipped"))), (2, len(skipped)))
        self.assertRegex(skipped["Rarity"], "could not have failed|not tested")
        one_way = 0
        for name, row in rates.items():
            seen = [(row[key] or 1e9) <= factor for key in ("visible_more", "visible_fewer")]
            one_way += seen[0] != seen[1]
            if name != "Tower":
                self.assertEqual(name not in skipped, any(seen) and row["test"] != "none", row)
        self.assertGreater(one_way, 0)

    def test_threads_do_not_matter(self):
        self.put("new", changed(self.MORE))
        self.assertEqual(self.change(*self.QUICK), self.change(*self.QUICK, "--jobs", "2"))


class Touched(ChangeTest):
    """What a change touches: verdicts, draws and pictures."""

    def test_verdicts(self):
        self.put("new", changed(("overmap_special", "Tower", put(occurrences=[0, 0])),
                                ("overmap_special", "Pair", put(locations=["land", "forest"]))))
        report = self.change("--without", "rates,loot,seams,pictures", code=1)
        self.assertEqual(self.found(report), [("CHG003", "Tower")])
        rows = {(r["kind"], r["id"]): (r["before"], r["after"]) for r in report["coverage"]}
        self.assertEqual(rows, {("special", "Tower"): ("comes", "never"), ("special", "Pair"): ("comes", "comes")})
        self.assertIn("0", next(r["why"] for r in report["coverage"] if r["id"] == "Tower"))

    def test_verdicts_of_what_is_rare_or_may(self):
        """What was rare and never comes now is told, too; not a terrain that need not come."""
        def rare(name, chance, flags):
            return [{"type": "overmap_terrain", "id": name + "_hut", "name": "x", "sym": "x", "color": "red", "flags": flags},
                    {"type": "overmap_special", "id": name, "locations": ["land"], "occurrences": [chance, 50000], "flags":
                     ["UNIQUE"], "overmaps": [{"point": [0, 0, 0], "overmap": name + "_hut"}]}]
        for folder, chance, flags in (("old", 1, []), ("new", 0, ["SHOULD_NOT_SPAWN"])):
            self.put(folder, BEFORE + rare("Odd", chance, ["NO_ROTATE"]) + rare("May", chance, ["NO_ROTATE", *flags]))
        report = self.change("--without", "rates,loot,seams,pictures", code=1)
        rows = {r["id"]: r["before"] for r in report["coverage"]}
        self.assertEqual(rows["Odd"], "rare")
        found = self.found(report)
        self.assertIn(("CHG003", "Odd"), found)
        self.assertNotIn("May_hut", [name for _, name in found])

    def test_draws_of_other_chance(self):
        """Two in half of the draws, or one in each: the number is the same. A group that gave nothing before is no
        finding."""
        for folder, entry, nothing in (("old", {"item": "log", "prob": 50, "count": 2}, []),
                                       ("new", {"item": "log", "prob": 100}, [{"item": "log", "prob": 0}])):
            self.put(folder, BEFORE + [{"type": "item_group", "id": "one", "subtype": "collection", "entries": [entry]},
                                       {"type": "item_group", "id": "none", "subtype": "collection", "entries": nothing}])
        report = self.change("--without", "rates,coverage,seams,pictures")
        self.assertEqual([(r["group"], r["before"], r["after"], r["before_chance"], r["after_chance"])
                          for r in report["loot"]], [("one", 1, 1, 0.5, 1)])
        self.assertEqual(report["findings"], [])

    def test_copies(self):
        """What copies from an abstract is touched by it, also if that is new or gone."""
        base = {"type": "item_group", "abstract": "base_group", "subtype": "collection", "entries": [{"item": "rock"}]}
        copy_of = {"type": "item_group", "id": "copied", "copy-from": "base_group", "extend": {"entries": [{"item": "log"}]}}
        ruin = {"type": "overmap_terrain", "id": "ruin2", "copy-from": "base_ruin"}
        hut = {"type": "overmap_terrain", "id": "hut2", "copy-from": "base_hut"}
        self.put("old", BEFORE + [base, copy_of, ruin, {**BEFORE[2], "abstract": "base_hut"}, hut])
        self.put("new", changed(("overmap_terrain", "base_ruin", put(sym="Q"))) + [copy_of, ruin, hut])
        text = run("change", "--builtin", "--before", self.path("old"), "--after", self.path("new"), "--without",
                   "rates,coverage,loot,seams,pictures,remarks", "-q").stdout
        self.assertRegex(" ".join(text.split()), r"2 gone, 1 changed; 3 more use what differs")

    def test_draws(self):
        """1/2 * 3/10 and two logs before; 1/2 * 2/10 and two logs after."""
        quick = ["--without", "rates,coverage,seams,pictures"]
        self.put("new", changed(("item_group", "loot", put(
            entries=[{"item": "log", "prob": 20}, {"item": "rock", "prob": 70}, {"item": "rope", "prob": 10}]))))
        report = self.change(*quick)
        rows = {(r["group"], r["id"]): r for r in report["loot"]}
        self.assertEqual({k: (round(r["before"], 9), round(r["after"], 9)) for k, r in rows.items()},
                         {("loot", "log"): (0.3, 0.2), ("loot", "rope"): (0, 0.1),
                          ("much", "log"): (2.15, 2.1), ("much", "rope"): (0, 0.05)})
        self.assertEqual({(r["how"], r["through"]) for r in rows.values()}, {("exact", ""), ("exact", "loot")})
        self.assertEqual(report["findings"], [])
        self.put("new", changed(("item_group", "loot", put(entries=[]))))
        report = self.change(*quick)
        self.assertEqual([(f["code"], f["severity"], f["id"]) for f in report["findings"]],
                         [("CHG007", "warning", "loot")])

    def test_draws_of_monsters_and_vehicles(self):
        groups = [{"type": "monstergroup", "id": "GROUP_T", "default": "mon_hare", "monsters": [
            {"monster": "mon_fox", "freq": 250}]},
                  {"type": "vehicle_group", "id": "cars", "vehicles": [["car_a", 1], ["car_b", 3]]}]
        self.put("old", BEFORE + groups)
        groups = copy.deepcopy(groups)
        groups[0]["monsters"][0]["freq"], groups[1]["vehicles"][0][1] = 500, 5
        self.put("new", BEFORE + groups)
        rows = {(r["group"], r["kind"], r["id"]): (r["before"], r["after"])
                for r in self.change("--without", "rates,coverage,seams,pictures")["loot"]}
        self.assertEqual(rows, {("GROUP_T", "monster", "mon_fox"): (0.25, 0.5),
                                ("GROUP_T", "monster", "mon_hare"): (0.75, 0.5),
                                ("cars", "vehicle", "car_a"): (0.25, 0.625),
                                ("cars", "vehicle", "car_b"): (0.75, 0.375)})

    def pictures(self, *more):
        report = self.change("--without", "rates,coverage,loot,seams", "--html", self.path("r.html"), *more)
        with open(self.path("r.html"), encoding="utf-8") as file:
            page = Page(file.read())
        return {(p["kind"], p["id"], p["entry_before"], p["entry_after"]): (p["tiles"], p["through"])
                for p in report["pictures"]}, page, report

    def test_palettes_and_chunks_touch_entries(self):
        """The wall is a palette of a palette of the tower's first entry; and of a chunk of the shed's."""
        self.put("new", changed(("palette", "walls", put(terrain={"#": "t_wall_log", "+": "t_door_closed"}))))
        walls = sum(row.count("#") for row in ROWS)
        rows, page, report = self.pictures()
        self.assertEqual(rows, {("mapgen", "tower", 1, 1): (walls, "rooms"), ("mapgen", "shed", 1, 1): (4, "nook"),
                                ("nested_mapgen", "nook", 1, 1): (4, "walls")})
        self.assertIn("t_wall_timber to t_wall_log on %d tiles" % walls,
                      [p["what"] for p in report["pictures"]])
        self.assertEqual([size_of(image) for image in page.images], [(192, 192)] * 6)
        self.assertEqual(len(set(page.images)), 6)

    def test_each_tile_that_differs_is_marked(self):
        rows = list(ROWS)
        rows[3] = "##" + rows[3][2:5] + "#" + rows[3][6:]
        self.put("new", changed(("mapgen", "tower", lambda o: o["object"].update(rows=rows))))
        found, page, _ = self.pictures()
        self.assertEqual(found, {("mapgen", "tower", 1, 1): (3, "")})
        marks = {(int(x) + i, int(y)) for x, y, n in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", page.paths[0])
                 for i in range(int(n))}
        self.assertEqual(marks, {(0, 3), (1, 3), (5, 3)})
        self.assertEqual(page.paths[0], page.paths[1])

    def test_entries_are_paired_by_what_they_are(self):
        """A new entry before the others, and one that is gone: only these two have pictures."""
        content = changed(("mapgen", "hall", None))
        at = next(i for i, o in enumerate(content) if o.get("om_terrain") == "tower")
        content.insert(at, {"type": "mapgen", "om_terrain": "tower", "object": {"fill_ter": "t_floor_wood"}})
        self.put("new", content)
        found, page, _ = self.pictures()
        self.assertEqual(found, {("mapgen", "tower", None, 1): (576, ""), ("mapgen", "hall", 1, None): (576, "")})
        self.assertEqual(len(page.images), 2)
        self.assertEqual(page.text.count("no map\n"), 2)

    def test_specials(self):
        """Levels stand side by side: the third OMT is in the upper one."""
        self.put("new", changed(("overmap_special", "Pair", lambda o: o["overmaps"][2].update(point=[1, 0, 1]))))
        found, page, _ = self.pictures()
        self.assertEqual(list(found), [("overmap_special", "Pair", None, None)])
        self.assertEqual(found["overmap_special", "Pair", None, None][0], 2 * 576)
        self.assertEqual([size_of(image) for image in page.images], [(4 * 192, 192)] * 2)
        marks = re.findall(r"M(\d+) (\d+)h(\d+)", page.paths[0])
        self.assertEqual(set(marks), {("48", str(y), "48") for y in range(24)})

    def test_a_limit_is_said(self):
        self.put("new", changed(("palette", "walls", put(terrain={"#": "t_wall_log"}))))
        found, page, report = self.pictures("--pictures", "1")
        self.assertEqual((len(found), report["not_drawn"]), (1, 2))
        self.assertIn("2 more are touched and were not drawn", page.text)

    def test_what_looks_the_same(self):
        self.put("new", changed(("item_group", "loot", None), ("mapgen", "tower", put(weight=301))))
        found, page, _ = self.pictures("--allow", self.write("allow", "loot"))
        self.assertEqual(found, {("mapgen", "tower", 1, 1): (0, "")})
        self.assertEqual(page.images, [])
        self.assertIn("1 that are touched look the same", page.text)


class Reports(ChangeTest):
    def test_html_needs_nothing(self):
        evil = "<script>alert(1)</script>'&\u202e"
        self.put("new", changed(({"type": "item_group", "id": evil, "entries": [{"item": "log"}]},),
                                ({"type": "mapgen", "om_terrain": evil, "object": {"fill_ter": "t_grass"}},),
                                ({"type": "overmap_terrain", "id": evil, "name": evil, "sym": "x", "color": "red"},)),
                 ensure_ascii=False)
        self.change(*FEW, "--html", self.path("r.html"), "--markdown", self.path("r.md"))
        with open(self.path("r.html"), encoding="utf-8") as file:
            text = file.read()
        page = Page(text)
        self.assertEqual(page.open, [])
        self.assertIn("<script>alert(1)</script>'&", page.text)
        self.assertNotIn("\u202e", text)
        self.assertLessEqual({tag for tag, _ in page.tags}, set(
            "html head meta title style body h1 h2 p span ul li nav a div table tr th td details summary input "
            "label figure figcaption b br code img svg path small".split()))
        policy = next(a["content"] for t, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
        self.assertTrue(policy.startswith("default-src 'none'"))
        for tag, attrs in page.tags:
            for name, value in attrs.items():
                self.assertFalse(name.startswith("on"), (tag, attrs))
                if name in ("src", "href"):
                    self.assertRegex(value, "^(data:image/png;base64,|#)")
        with open(self.path("r.md"), encoding="utf-8") as file:
            self.assertNotRegex(file.read(), "<script|\u202e")

    def test_markdown_fits_and_counts_what_it_leaves_out(self):
        many = [{"type": "overmap_terrain", "id": "many_%d_%s" % (i, "x" * 60), "name": "x", "sym": "x",
                 "color": "red"} for i in range(2000)]
        shutil.copytree(self.path("old"), self.path("new"))
        self.put("old", BEFORE + many)
        result = run("change", "--builtin", "--before", self.path("old"), "--after", self.path("new"), *FEW, "-q",
                     "--without", "coverage,seams", "--markdown", self.path("r.md"))
        self.assertEqual(result.returncode, 1)
        with open(self.path("r.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertLess(len(text), MOST)
        for line, begin in (("- and %d more", "- **error** CHG001"), ("and %d more rows", "| gone | overmap")):
            shown = text.count("\n" + begin)
            self.assertGreater(shown, 4)
            self.assertIn(line % (2000 - shown), text)

    def test_markdown_means_nothing_else(self):
        self.put("new", changed(({"type": "item_group", "id": "@someone [a](http://b) |*_` #1",
                                  "entries": [{"item": "log"}]},)))
        self.change(*FEW, "--markdown", self.path("r.md"), "--without", "rates,coverage,seams")
        with open(self.path("r.md"), encoding="utf-8") as file:
            row = next(line for line in file if line.startswith("| new"))
        self.assertEqual(len(re.findall(r"(?<!\\)\|", row)), row.count(" | ") + 2)
        self.assertNotIn("@", row)
        self.assertNotRegex(row, r"(?<!\\)([*_`\[\]]|://)")

    def test_formats(self):
        self.put("new", changed(("overmap_terrain", "ruin", None)))
        quick = [*FEW, "--without", "rates,coverage,seams,pictures"]
        rows = list(csv.DictReader(io.StringIO(self.change(*quick, form="csv", code=1))))
        self.assertEqual([(r["code"], r["id"]) for r in rows], [("CHG001", "ruin")])
        rows = list(csv.DictReader(io.StringIO(self.change(*quick, "--list", "definitions", form="csv", code=1))))
        self.assertEqual([(r["change"], r["id"]) for r in rows], [("gone", "ruin")])
        sarif = json.loads(self.change(*quick, form="sarif", code=1))["runs"][0]
        self.assertEqual([r["ruleId"] for r in sarif["results"]], ["CHG001"])
        self.assertEqual(len(sarif["tool"]["driver"]["rules"]), 8)
        self.assertIn("title=CHG001::ruin", self.change(*quick, form="github", code=1))
        self.assertIn("gone    overmap_terrain  ruin", self.change(*quick, form="table", code=1))

    def test_baseline(self):
        self.put("new", changed(("overmap_terrain", "ruin", None)))
        quick = [*FEW, "--without", "rates,coverage,seams,pictures"]
        known = self.path("known.json")
        self.change(*quick, "--write-baseline", known)
        self.change(*quick, "--baseline", known)
        self.put("new", changed(("overmap_terrain", "ruin", None), ("overmap_special", "Tower", None)))
        self.assertEqual(self.found(self.change(*quick, "--baseline", known, code=1)), [("CHG001", "Tower")])


class Use(ChangeTest):
    def test_wrong_use(self):
        shutil.copytree(self.path("old"), self.path("new"))
        self.done("import", self.file, "--builtin")
        game = self.game("game", BEFORE)
        both = ["--before", self.path("old"), "--after", self.path("new")]
        for pattern, *words in (
                ("--before", "--builtin"), ("which content", *both[2:]),
                ("world file", "--before", self.file, "--after", self.file),
                ("not there", "--builtin", "--before", self.path("none")),
                ("a game, and there is one", "--game", game, "--before", game),
                ("none of", "--builtin", *both, "--without", "rates,all"),
                ("none of", "--builtin", *both, "--without", "rates", "--list", "rates"),
                ("above 1", "--builtin", *both, "--max-change", "1"),
                ("leaves out", "--builtin", *both, "--max-change", "2", "--without", "rates"),
                ("say --game", "--builtin", *both, "--mods", "a"),
                ("formats", "--builtin", *both, "--list", "seams", "--format", "junit", *FEW)):
            self.failed(2, pattern, "change", *words)

    def test_no_content(self):
        os.makedirs(self.path("empty"))
        self.failed(1, "empty: FI102: no JSON files", "change", "--before", self.path("empty"), "--after", self.path("empty"))

    def test_a_base_that_is_not_given(self):
        """As for import: the message says where, and what comes first."""
        shutil.copytree(self.path("old"), self.path("new"))
        result = run("change", "--before", self.path("old"), "--after", self.path("new"), *FEW)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "no region_settings 'default'")
        self.assertRegex(result.stderr, "old is a mod: what mods build on comes first")

    def test_hostile_content(self):
        """Ids of a mebibyte, groups that hold themselves, palettes in a ring."""
        self.put("new", changed(
            ({"type": "overmap_terrain", "id": "x" * (1 << 20), "name": "x", "sym": "x", "color": "red"},),
            ("item_group", "loot", put(entries=[{"group": "much"}, {"group": "loot"}])),
            ("palette", "walls", put(palettes=["rooms"]))))
        result = run("change", "--builtin", "--before", self.path("old"), "--after", self.path("new"), *FEW,
                     "--html", self.path("r.html"), "--markdown", self.path("r.md"), timeout=120)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        self.assertLess(os.path.getsize(self.path("r.md")), MOST)

    def test_nothing_is_left(self):
        shutil.copytree(self.path("old"), self.path("new"))
        os.makedirs(self.path("temporary"))
        self.done("change", "--builtin", "--before", self.path("old"), "--after", self.path("new"), *FEW,
                  env=dict(os.environ, TMPDIR=self.path("temporary")), cwd=self.folder)
        self.assertEqual(os.listdir(self.path("temporary")), [])
        self.assertEqual(sorted(os.listdir(self.folder)), ["new", "old", "temporary"])

    def game(self, name, mod):
        """A folder as a game's, whose core is Portolan's own pack, with one mod."""
        files = {"data/core/external_options.json": [], "data/mods/mymod/a.json": mod,
                 "data/mods/mymod/modinfo.json": [{"type": "MOD_INFO", "id": "mymod", "name": "x",
                                                   "dependencies": []}]}
        shutil.copytree(os.path.join(SOURCE, "data"), self.path(name + "/data/json"),
                        ignore=shutil.ignore_patterns("*.png", "*.md"))
        for path, content in files.items():
            path = os.path.join(self.path(name), path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii") as file:
                json.dump(content, file)
        return self.path(name)

    def test_two_games(self):
        """Each side has its own game; --mods chooses the same mods of both."""
        before = self.game("one", BEFORE)
        after = self.game("two", changed(("overmap_terrain", "ruin", None)))
        few = [*FEW, "--without", "rates,coverage,seams", "--format", "json", "-q"]
        result = run("change", "--before", before, "--after", after, "--mods", "mymod", *few)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(self.found(json.loads(result.stdout)), [("CHG001", "ruin")])
        report = self.json("change", "--before", before, "--after", after, *few)
        self.assertEqual(report["definitions"], [])

    def test_a_mod_that_is_new(self):
        shutil.copytree(self.path("old"), self.path("new"))
        report = self.json("change", "--builtin", "--after", self.path("new"), *FEW, "--format", "json", "-q",
                           "--without", "rates,coverage,seams")
        self.assertEqual({d["change"] for d in report["definitions"]}, {"new"})
        self.assertEqual(len(report["pictures"]), 9)


@unittest.skipUnless(yaml, "SKIPPED: no python3-yaml: the files of tools/workflows are not read")
class Workflows(ChangeTest):
    """The commands of tools/workflows, in a repository with a change."""

    def setUp(self):
        super().setUp()
        os.makedirs(self.path("repo"))
        self.git("init", "-q", "-b", "main")
        shutil.copytree(self.path("old"), self.path("repo/mymod"))
        self.commit()
        self.base = self.git("rev-parse", "HEAD").strip()
        self.put("repo/mymod", changed(("overmap_terrain", "ruin", None)))
        self.commit()

    def git(self, *words):
        return subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *words],
                              cwd=self.path("repo"), check=True, capture_output=True, text=True).stdout

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")

    def script(self, lines, **variables):
        """Runs a step; curl, gh and apt-get only note how they were called."""
        tools = self.path("tools")
        os.makedirs(tools, exist_ok=True)
        for name in ("gh", "curl", "apt-get", "sudo"):
            with open(os.path.join(tools, name), "w", encoding="ascii") as file:
                file.write('#!/bin/sh\necho "%s $*" >> "$CALLS"\n' % name)
            os.chmod(os.path.join(tools, name), 0o755)
        path = tools + ":" + os.path.dirname(os.path.abspath(COMMAND)) + ":" + os.environ["PATH"]
        return subprocess.run(["bash", "-eo", "pipefail", "-c", lines], cwd=self.path("repo"), text=True,
                              capture_output=True, check=False,
                              env=dict(os.environ, PATH=path, CALLS=self.path("calls"), **variables))

    def check_reports(self):
        suite = ET.parse(self.path("repo/report.xml")).getroot()[0]
        self.assertEqual(suite.get("name"), "portolan change")
        self.assertEqual(suite.get("failures"), "1")
        for name in ("report.html", "report.md"):
            with open(self.path("repo/" + name), encoding="utf-8") as file:
                self.assertIn("ruin", file.read())

    def test_github(self):
        with open(os.path.join(SOURCE, "tools/workflows/github.yml"), encoding="ascii") as file:
            workflow = yaml.safe_load(file)
        jobs = list(workflow["jobs"].values())
        self.assertEqual(len(jobs), 1)
        codes = {}
        for step in jobs[0]["steps"]:
            if "run" not in step:
                self.assertRegex(step["uses"], r"^actions/[a-z-]+@v\d+$")
                continue
            variables = {**workflow.get("env", {}), **step.get("env", {})}
            values = {"github.event.pull_request.base.sha": self.base, "github.event.number": "7",
                      "github.token": "t"}
            for key, value in variables.items():
                variables[key] = re.sub(r"\$\{\{ (.*?) \}\}", lambda m: values[m[1]], str(value))
            done = self.script(step["run"], **variables)
            codes[step["name"]] = (done.returncode, done.stdout + done.stderr)
        self.assertEqual({name: code for name, (code, _) in codes.items()},
                         {"Install Portolan": 0, "Check out the content before": 0, "Lint": 0, "Change": 1,
                          "Comment": 0}, codes)
        self.check_reports()
        with open(self.path("calls"), encoding="ascii") as file:
            self.assertRegex(file.read(), r"gh pr comment 7 .*report\.md")

    def test_gitlab(self):
        with open(os.path.join(SOURCE, "tools/workflows/gitlab.yml"), encoding="ascii") as file:
            job = yaml.safe_load(file)["portolan"]
        variables = {**job["variables"], "CI_MERGE_REQUEST_DIFF_BASE_SHA": self.base}
        variables = {key: str(value) for key, value in variables.items()}
        self.assertEqual(self.script("\n".join(job["before_script"]), **variables).returncode, 0)
        done = self.script("\n".join(job["script"]), **variables)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.check_reports()
        self.assertEqual(job["artifacts"]["reports"]["junit"], "report.xml")
        for path in job["artifacts"]["paths"]:
            self.assertTrue(os.path.exists(self.path("repo/" + path)), path)


if __name__ == "__main__":
    unittest.main()
