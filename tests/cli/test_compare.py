"""compare: what changed is found, and nothing else; the command's forms, exit codes and files."""

import csv
import io
import json
import os
import re
import shutil
import unittest
import xml.etree.ElementTree as ElementTree

from support import CommandTest, run

ODD = "odd & <\"yard\">"  # an id that XML, CSV and JSON have to write with care

# Flat and dry: an overmap takes 2 ms.
REGION = {
    "type": "region_settings", "id": "quiet", "copy-from": "default", "default_oter": "field",
    "river_scale": 0,
    "overmap_lake_settings": {"noise_threshold_lake": 1.5, "lake_size_min": 20,
                              "lake_depth": -5},
    "overmap_forest_settings": {
        "noise_threshold_forest": 1.5, "noise_threshold_forest_thick": 1.6,
        "noise_threshold_swamp_adjacent_water": 1.5, "noise_threshold_swamp_isolated": 1.6,
        "river_floodplain_buffer_distance_min": 3, "river_floodplain_buffer_distance_max": 15},
}
SIDE = 5 if os.environ.get("PORTOLAN_QUICK") else 6


def yard(name, low, high):
    return {"type": "overmap_special", "id": name, "copy-from": "smallholding",
            "occurrences": [low, high]}


class Compare(CommandTest):
    """The files are made once: base (worlds w1, w2), changed (one special comes more often)."""

    shared = None
    reports = {}

    @classmethod
    def tearDownClass(cls):
        if Compare.shared:
            shutil.rmtree(Compare.shared)
            Compare.shared = None

    def make(self, name, specials, worlds):
        folder = os.path.join(self.folder, name + ".mod")
        path = os.path.join(self.folder, name + ".db")
        os.mkdir(folder)
        with open(os.path.join(folder, "mod.json"), "w", encoding="utf-8") as file:
            json.dump([{"type": "MOD_INFO", "id": name, "name": name,
                        "dependencies": ["portolan"]}, REGION] + specials, file)
        self.done("import", path, "--builtin", folder)
        for world, seed, side, more in worlds:
            self.done("new", path, world, "--seed", seed, "--region", "quiet", "--city-size", 0,
                      *more)
            self.done("generate", path, "--world", world, "--rect",
                      "0,0,%d,%d" % (side - 1, side - 1), "--quiet")
        return path

    def setUp(self):
        super().setUp()
        if not Compare.shared:
            self.make("base", [yard("yard", 0, 2), yard(ODD, 1, 1), yard("early", 1, 2)],
                      [("w1", 1, SIDE, ()), ("w2", 2, SIDE, ()),
                       ("drawn", 5, 4, ("--placement", "sectors"))])
            self.make("changed", [yard("yard", 2, 5), yard(ODD, 1, 1), yard("early", 1, 2)],
                      [("w", 13, SIDE, ())])
            self.make("other", [yard("yard", 0, 2), yard(ODD, 0, 0), yard("late", 1, 2)],
                      [("w", 4, 5, ()), ("empty", 4, 1, ("--scale-unique",))])
            Compare.shared = self.folder + ".shared"
            os.rename(self.folder, Compare.shared)
            os.mkdir(self.folder)
        self.base, self.changed, self.other = (
            os.path.join(Compare.shared, name + ".db") for name in ("base", "changed", "other"))

    def rows(self, *arguments):
        report = Compare.reports.get(arguments)
        if not report:
            report = self.json("compare", *arguments, "--format", "json", "--quiet")
            Compare.reports[arguments] = report
        return report, {row["id"]: row for row in report["specials"]}

    # ---- what is found ----

    def test_the_change_is_found_and_nothing_else(self):
        report, rows = self.rows(self.base + ":w1", self.changed)
        self.assertEqual(list(rows), ["yard"])
        row = rows["yard"]
        self.assertEqual((row["change"], row["significant"]), ("more", "yes"))
        self.assertEqual((row["a_definition"], row["b_definition"]), ("0..2", "2..5"))
        self.assertTrue(2 < row["ratio"] < 8)
        self.assertTrue(row["ratio_low"] < row["ratio"] < row["ratio_high"])
        self.assertLess(row["adjusted_p"], 1e-6)
        self.assertEqual([d["what"] for d in report["differences"]], ["content"])
        self.assertEqual((report["a"]["overmaps"], report["b"]["overmaps"]), (SIDE ** 2,) * 2)
        # The other way round it is fewer, by the same factor.
        back = self.rows(self.changed, self.base + ":w1")[1]
        self.assertEqual((list(back), back["yard"]["change"]), (["yard"], "fewer"))
        self.assertAlmostEqual(back["yard"]["ratio"] * row["ratio"], 1, 9)
        self.assertAlmostEqual(back["yard"]["p"], row["p"], 12)

    def test_other_seeds_change_nothing(self):
        report, rows = self.rows(self.base + ":w1", self.base + ":w2", "--all", "--terrains")
        self.assertEqual((report["differences"], report["summary"]["specials"]["significant"],
                          report["summary"]["others"]["significant"]), ([], 0, 0))
        self.assertEqual({row["change"] for row in rows.values()}, {""})
        self.assertGreater(report["summary"]["specials"]["tested"], 25)
        self.assertGreater(report["summary"]["others"]["tested"], 60)
        self.assertEqual(report["summary"]["specials"]["beyond"], 0)

    def test_counts_are_those_of_the_file(self):
        rows = self.rows(self.base + ":w1", self.base + ":w2", "--all", "--terrains")[1]
        text = self.done("query", self.base, "SELECT special, count(*) AS n, "
                         "count(DISTINCT chunk_x * 1000 + chunk_y) AS overmaps FROM v_special "
                         "WHERE world = 'w2' GROUP BY special", "--format", "csv")
        there = {line["special"]: line for line in csv.DictReader(io.StringIO(text))}
        self.assertGreater(len(there), 25)
        for name, row in rows.items():
            line = there.get(name, {"n": 0, "overmaps": 0})
            self.assertEqual((name, row["b_sum"]), (name, int(line["n"])))
            self.assertAlmostEqual(row["b_mean"], int(line["n"]) / SIDE ** 2, 12)
            self.assertAlmostEqual(row["b_none"], 1 - int(line["overmaps"]) / SIDE ** 2, 12)

    def test_new_and_gone(self):
        rows = self.rows(self.base + ":w1", self.other + ":w")[1]
        self.assertEqual((rows["early"]["change"], rows["late"]["change"]), ("gone", "new"))
        self.assertEqual((rows["late"]["ratio"], rows["early"]["ratio"]), (None, 0))
        self.assertIsNone(rows["late"]["a_definition"])
        # Still in the content, but no longer asked for: fewer, not gone.
        self.assertEqual(rows[ODD]["change"], "fewer")

    def test_placement_rules(self):
        report = self.rows(self.base + ":w1", self.base + ":drawn")[0]
        self.assertEqual(report["differences"],
                         [{"what": "placement", "a": "quota", "b": "sectors"}])
        result = run("compare", self.base + ":w1", self.other + ":empty", "--min-overmaps", 1)
        self.assertRegex(result.stderr, "differ in content and scale-unique: what changed may")
        self.assertIn("scale-unique differs: no in A, yes in B", result.stdout)

    def test_the_same_sample(self):
        result = run("compare", self.changed, self.changed, "--all")
        self.assertEqual(result.returncode, 0)
        self.assertIn("A and B are the same sample", result.stderr)
        self.assertRegex(result.stdout, r"(?m)^0 of \d+ specials changed")

    def test_a_sweep_is_as_good_as_worlds(self):
        """The same overmaps: every number is the same."""
        path = self.path("sweep.db")
        shutil.copy(self.base, path)
        self.done("sweep", path, "w1", "--world", "w1", "--seeds", 1, "--rect",
                  "0,0,%d,%d" % (SIDE - 1, SIDE - 1), "--quiet")
        report, rows = self.rows(path + ":sweep:w1", path + ":world:w1", "--all")
        self.assertEqual((report["a"]["kind"], report["b"]["kind"]), ("sweep", "world"))
        self.assertEqual(report["differences"], [])
        for name, row in rows.items():
            self.assertEqual((name, row["a_sum"], row["a_none"], round(row["p"], 9)),
                             (name, row["b_sum"], row["b_none"], 1))

    # ---- options ----

    def test_max_change(self):
        both = (self.base + ":w1", self.changed, "--quiet")
        self.assertIn("\n1 by more than 1.5 times.",
                      self.failed(1, "^$", "compare", *both, "--max-change", 1.5).stdout)
        self.assertIn("\n0 by more than 50 times.",
                      self.done("compare", *both, "--max-change", 50))
        self.done("compare", *both, "--max-change", 1.5, "--only", "early")
        self.done("compare", self.base + ":w1", self.base + ":w2", "--max-change", 1.01)

    def test_only(self):
        rows = self.rows(self.base + ":w1", self.changed, "--only", "yard", "--only", ODD,
                         "--all")[1]
        self.assertEqual(set(rows), {"yard", ODD})
        self.assertLessEqual(rows["yard"]["adjusted_p"], 2 * rows["yard"]["p"] + 1e-15)
        self.failed(1, "neither of the two contents has a special 'yrad'", "compare", self.base +
                    ":w1", self.changed, "--only", "yrad")

    def test_corrections(self):
        both = (self.base + ":w1", self.changed, "--all")
        holm, fdr = self.rows(*both)[1], self.rows(*both, "--fdr")[1]
        self.assertEqual(set(holm), set(fdr))
        self.assertTrue(all(holm[i]["adjusted_p"] >= fdr[i]["adjusted_p"] >= fdr[i]["p"]
                            for i in holm))
        narrow = self.rows(*both, "--level", 0.6)[1]["yard"]
        self.assertGreater(narrow["ratio_low"], holm["yard"]["ratio_low"])

    def test_what_it_takes_to_see_a_change(self):
        rows = self.rows(self.base + ":w1", self.changed, "--all")[1]
        text = self.done("compare", self.base + ":w1", self.changed, "--max-change", 50, "-q")
        self.assertNotIn("would be seen", text)
        text = self.done("compare", self.base + ":w1", self.base + ":w2", "-q")
        found = re.search(r"A change of 1.5 times, up or down, .* for (\d+) of the (\d+) specials that "
                          r"occur and can change so; "
                          r"with 1000 overmaps on each side for (\d+)", text)
        self.assertTrue(found, text)
        self.assertLess(int(found[1]), int(found[3]))
        needed = [row["overmaps_needed"] for row in rows.values()]
        self.assertIn(None, needed)  # never placed: no number would do
        self.assertEqual(sum(n is not None for n in needed),
                         sum(row["a_sum"] + row["b_sum"] > 0 for row in rows.values()))

    # ---- formats and files ----

    def test_csv_has_the_same_rows(self):
        both = (self.base + ":w1", self.base + ":w2", "--all", "--terrains")
        text = self.done("compare", *both, "--format", "csv")
        lines = list(csv.DictReader(io.StringIO(text)))
        report = self.rows(*both)[0]
        wanted = report["specials"] + report["others"]
        self.assertEqual([line["id"] for line in lines], [row["id"] for row in wanted])
        self.assertEqual({line["kind"] for line in lines}, {"special", "terrain", "city", "road"})
        for line, row in zip(lines, wanted):
            self.assertEqual(set(line), set(row))
            for key, value in row.items():
                self.assertEqual(line[key] if isinstance(value, str) else
                                 float(line[key]) if line[key] else None, value)

    def test_output_file(self):
        path = self.path("report.json")
        both = ("compare", self.base + ":w1", self.changed, "--format", "json")
        self.assertEqual(self.done(*both, "-o", path), "")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), self.done(*both))
        self.failed(1, "^$", *both, "-o", path, "--max-change", 2)
        self.assertEqual(os.listdir(self.folder), ["report.json"])
        self.failed(1, "No such file", *both, "-o", self.path("no/report.json"))
        self.done(*both, "-o", "/dev/null")

    def junit(self, *arguments, code=0):
        result = run("compare", *arguments, "--format", "junit")
        self.assertEqual((result.returncode, result.stderr), (code, ""))
        return check_junit(self, result.stdout)

    def test_junit(self):
        odd = os.path.join(self.folder, "o&<'\"\x01.db")
        shutil.copy(self.changed, odd)
        suite = self.junit(self.base + ":w1", odd, "--max-change", "1.5", code=1)
        names = {case.get("name"): case for case in suite.iter("testcase")}
        failed = [name for name, case in names.items() if case.find("failure") is not None]
        self.assertEqual(failed, ["yard"])
        self.assertIn(ODD, names)
        self.assertRegex(names["yard"].find("failure").get("message"),
                         r"^more: .* times .*; corrected p < 0.000001 \(permutation\)$")
        paths = [p.get("value") for p in suite.iter("property") if p.get("name") == "B.file"]
        self.assertEqual(paths, [odd.replace("\x01", "\\x01")])
        suite = self.junit(self.base + ":w1", self.base + ":w2", "--max-change", "1.5")
        self.assertEqual(suite.get("failures"), "0")
        # A green that could not have been red says so.
        report, rows = self.rows(self.base + ":w1", self.base + ":w2", "--all", "--max-change", "1.5")
        have, told = report["a"]["overmaps"], 0
        for case in suite.iter("testcase"):
            if case.find("skipped") is not None:
                continue
            needed, said = rows[case.get("name")]["overmaps_needed"], case.findtext("system-out")
            if needed is not None and needed <= have:
                self.assertIsNone(said)
                continue
            told += 1
            self.assertIn("%d overmaps on each side are too few to see a change of 1.5 times" % have, said)
            self.assertIn("no number is enough" if needed is None else "%d are needed" % needed, said)
        self.assertGreater(told, 0)

    # ---- naming samples ----

    def test_names_of_files_and_worlds(self):
        colon = os.path.join(self.folder, "a:w1")
        shutil.copy(self.changed, colon)
        shutil.copy(self.base, os.path.join(self.folder, "a"))
        self.assertEqual(self.rows(colon, self.base + ":w2")[0]["a"]["name"], "w")
        self.assertEqual(self.rows(colon + ":w", self.base + ":w2")[0]["a"]["name"], "w")
        a = self.rows(os.path.join(self.folder, "a") + ":w2", self.base + ":w2")[0]["a"]
        self.assertEqual((a["name"], a["kind"]), ("w2", "world"))
        a = self.rows(self.base + ":world:w2", self.changed)[0]["a"]
        self.assertEqual((a["name"], a["kind"]), ("w2", "world"))

    def test_mistakes(self):
        both = (self.base + ":w1", self.changed)
        for code, pattern, arguments in [
                (1, "(?s)none.db.*portolan import", (self.path("none.db"), self.changed)),
                (1, "none.db", (self.base + ":w1", self.path("none.db") + ":w")),
                (1, "w1.*w2|several", (self.base, self.changed)),
                (1, "'w9'", (self.base + ":w9", self.changed)),
                (1, "has 1 complete overmap; at least 2", (*both[:1], self.other + ":empty")),
                (1, "at least 100 are needed", (*both, "--min-overmaps", 100)),
                (2, "none of table, csv, json, jsonl, raw, junit", (*both, "--format", "xml")),
                (2, "--max-change", (*both, "--max-change", 0.5)),
                (2, "factor above 1", (*both, "--max-change", 1)),
                (2, "--level", (*both, "--level", 1)),
                (2, "something is missing", both[:1]),
        ]:
            with self.subTest(arguments):
                self.failed(code, pattern, "compare", *arguments)


# Elements, their attributes and children, as the schemas of Jenkins and Ant have in common.
JUNIT = {
    "testsuites": (set(), {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time", "timestamp",
                   "hostname"}, {"properties", "testcase"}),
    "properties": (set(), {"property"}),
    "property": ({"name", "value"}, set()),
    "testcase": ({"classname", "name", "time"}, {"failure", "skipped", "system-out"}),
    "failure": ({"type", "message"}, set()),
    "skipped": (set(), set()),
    "system-out": (set(), set()),
}


def check_junit(test, text):
    """Its one suite, after every element was checked."""
    top = ElementTree.fromstring(text)
    test.assertEqual(top.tag, "testsuites")
    for element in top.iter():
        attributes, children = JUNIT[element.tag]
        test.assertEqual(set(element.keys()), attributes, element.tag)
        test.assertLessEqual({child.tag for child in element}, children, element.tag)
    suite, = top
    cases = suite.findall("testcase")
    test.assertRegex(suite.get("timestamp"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$")
    test.assertEqual(len({case.get("name") for case in cases}), len(cases))
    test.assertEqual([int(suite.get(name)) for name in ("tests", "failures", "skipped", "errors")],
                     [len(cases), len(suite.findall("testcase/failure")),
                      len(suite.findall("testcase/skipped")), 0])
    return suite


if __name__ == "__main__":
    unittest.main()
