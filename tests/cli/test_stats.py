"""portolan stats: its numbers against SQL, its formats against their readers, its charts."""

import csv
import io
import json
import math
import os
import re
import shutil
import signal
import sqlite3
import statistics
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree

from support import COMMAND, CommandTest, run

CHUNKS = 12
HOSTILE = ["it's \"quoted\"", "back\\slash \\n", "`touch HACKED`", "@macro $(touch X)",
           "<b>&amp;&lt;", "../../up", "%s %n {/Bold x}_2^3", "комета"]
TERRAIN = [{"type": "overmap_terrain", "id": "odd_hut", "name": "hut", "sym": "x", "color": "red"}]


def odd_special(name):
    return {"type": "overmap_special", "id": name, "occurrences": [1, 2], "locations": ["wilderness"],
            "overmaps": [{"point": [0, 0, 0], "overmap": "odd_hut_north"}]}


SPECIALS = [odd_special(name) for name in HOSTILE] + [
    dict(odd_special("seldom"), occurrences=[60, 100], flags=["UNIQUE"]),
    dict(odd_special("homeless"), occurrences=[1, 3], city_sizes=[1, 16], city_distance=[150, 170]),
    dict(odd_special("unasked"), occurrences=[0, 0]),
]


def setUpModule():
    Stats.shared = tempfile.mkdtemp(prefix="portolan-stats-")
    unittest.addModuleCleanup(shutil.rmtree, Stats.shared)
    Stats.world = os.path.join(Stats.shared, "it's.db")
    Stats.pack = os.path.join(Stats.shared, "odd.json")
    with open(Stats.pack, "w", encoding="utf-8") as file:
        json.dump(TERRAIN + SPECIALS, file)
    for words in (["import", Stats.world, "--builtin", Stats.pack],
                  ["new", Stats.world, "w", "--seed", "7"],
                  ["generate", Stats.world, "--rect", "0,0,3,2", "--quiet"]):
        result = run(*words)
        assert result.returncode == 0, result.stderr


def plain(cell):
    """A cell of CSV without the apostrophe that keeps spreadsheets from running it."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in "=+-@" else cell


class Stats(CommandTest):
    """One world for all tests: it is only read."""

    shared = world = pack = ""

    def sql(self, text):
        rows = csv.reader(io.StringIO(self.done("query", self.world, text, "--format", "csv")))
        return [list(map(plain, row)) for row in rows][1:]

    def report(self, *words):
        return self.json("stats", self.world, "--format", "json", "--quiet", *words)


class Numbers(Stats):
    def test_specials(self):
        report = self.report()
        self.assertEqual(set(report), {"sample", "specials"})
        self.assertEqual((report["sample"]["overmaps"], report["sample"]["kind"]),
                         (CHUNKS, "world"))
        rows = {row["special"]: row for row in report["specials"]}
        counts = {}
        for special, x, y in self.sql("SELECT special, chunk_x, chunk_y FROM v_special"):
            here = counts.setdefault(special, {})
            here[x, y] = here.get((x, y), 0) + 1
        asked = {special: (int(n), int(placed)) for special, n, placed in self.sql(
            "SELECT special, sum(asked), sum(placed) FROM attempt GROUP BY special")}
        self.assertLessEqual(set(counts) | set(asked), set(rows))
        for special, row in rows.items():
            values = list(counts.get(special, {}).values())
            values += [0] * (CHUNKS - len(values))
            self.assertEqual((row["asked_sum"], row["placed_sum"]), asked.get(special, (0, 0)))
            self.assertAlmostEqual(row["present"], statistics.mean(values))
            self.assertAlmostEqual(row["placed"], row["placed_sum"] / CHUNKS)
            self.assertAlmostEqual(row["placed"] + row["others"], row["present"])
            if row["ratio"] is not None:
                self.assertAlmostEqual(row["ratio"], row["placed"] / row["expected"])
            self.assertAlmostEqual(row["variance"], statistics.variance(values))
            if any(values):
                self.assertAlmostEqual(row["dispersion"],
                                       statistics.variance(values) / statistics.mean(values))
            else:
                self.assertIsNone(row["dispersion"])
            self.assertAlmostEqual(row["without"], values.count(0) / CHUNKS)
            self.assertTrue(row["present_low"] <= row["present"] <= row["present_high"], row)
            self.assertTrue(row["without_low"] <= row["without"] <= row["without_high"], row)
            if row["kind"] == "plain" and row["occurrences_max"] > 0:
                self.assertAlmostEqual(row["expected"], row["asked_sum"] / CHUNKS)
        self.assertEqual((rows["seldom"]["expected"], rows["seldom"]["occurrences"]),
                         (0.6, "60 in 100"))
        self.assertEqual((rows["homeless"]["verdict"], rows["homeless"]["reason"]),
                         ("never placed", "city"))
        self.assertNotIn("unasked", rows)

    def test_one_special(self):
        name = HOSTILE[0]
        report = self.report(name, "seldom")
        places = self.sql("SELECT x, y, z, rotation FROM v_special WHERE special = '%s'" %
                          name.replace("'", "''"))
        own = {section: [row for row in rows if row["special"] == name]
               for section, rows in report.items() if section != "sample"}
        self.assertEqual(sum(row["overmaps"] for row in own["histogram"]), CHUNKS)
        self.assertEqual(sum(row["present"] * row["overmaps"] for row in own["histogram"]),
                         len(places))
        self.assertEqual([(row["z"], row["places"]) for row in own["levels"]], [(0, len(places))])
        for i, side in enumerate(("north", "east", "south", "west")):
            found = sum(row["places"] for row in own["rotations"] if row["rotation"] == side)
            self.assertEqual(found, sum(int(place[3]) == i for place in places))
        self.assertEqual(sum(row["places"] for row in own["around"]), len(places))
        self.check_same(name, {row["to"]: row for row in own["distances"]}["same"])

    def check_same(self, name, row):
        """Distances to the next of its kind in its overmap, by brute force."""
        points = {}
        for x, y, i, j in self.sql("SELECT x, y, chunk_x, chunk_y FROM v_special WHERE special = "
                                   "'%s'" % name.replace("'", "''")):
            points.setdefault((i, j), []).append((int(x) % 180, int(y) % 180))
        least = sorted(min(int(math.dist(p, q)) for k, q in enumerate(here) if k != i)
                       for here in points.values() if len(here) > 1 for i, p in enumerate(here))
        self.assertEqual(row["places"], len(least))
        self.assertEqual((row["least"], row["most"]), (least[0], least[-1]))
        self.assertAlmostEqual(row["mean"], statistics.mean(least))
        # The mean distance of two random points of a square is 0.5214 of its side.
        self.assertTrue(75 < row["baseline_mean"] < 98, row)

    def places_of(self, special):
        """By overmap."""
        places = {}
        for x, y, i, j in self.sql("SELECT x, y, chunk_x, chunk_y FROM v_special WHERE special = "
                                   "'%s'" % special.replace("'", "''")):
            places.setdefault((i, j), []).append((int(x), int(y)))
        return places

    def test_neighbours(self):
        """Between each two that are named, and from all land, by brute force."""
        names = ["seldom", HOSTILE[0], HOSTILE[1]]
        places = {name: self.places_of(name) for name in names}
        land = {}
        for x, y, i, j in self.sql(
                "SELECT x, y, chunk_x, chunk_y FROM omt WHERE z = 0 AND x % 7 = 3 AND y % 7 = 3 AND "
                "terrain NOT IN (SELECT terrain FROM overmap_terrain_flag WHERE flag IN "
                "('RIVER', 'LAKE', 'LAKE_SHORE', 'OCEAN', 'OCEAN_SHORE'))"):
            land.setdefault((i, j), []).append((int(x), int(y)))
        rows = {(row["special"], row["to"]): row
                for row in self.report(*names, "--section", "neighbours")["neighbours"]}
        self.assertEqual(set(rows), {(a, b) for a in names for b in names if a != b})
        for (special, to), row in rows.items():
            found, at_random, weights = [], [], []
            for overmap, here in places[special].items():
                there = places[to].get(overmap, [])
                for place in here if there else []:
                    found.append(min(int(math.dist(place, other)) for other in there))
                if there:
                    means = [min(int(math.dist(cell, other)) for other in there)
                             for cell in land[overmap]]
                    at_random.append(statistics.mean(means))
                    weights.append(len(here))
            found.sort()
            self.assertEqual(row["places"], len(found))
            self.assertEqual(row["places"] + row["none"], sum(map(len, places[special].values())))
            self.assertGreater(len(found), 0)
            self.assertEqual((row["least"], row["most"]), (found[0], found[-1]))
            self.assertAlmostEqual(row["mean"], statistics.mean(found))
            # A cell of 49 stands for all of them.
            mean = sum(w * m for w, m in zip(weights, at_random)) / sum(weights)
            self.assertLess(abs(row["baseline_mean"] / mean - 1), 0.01)
            self.assertEqual(row["baseline"], "land")
            self.assertAlmostEqual(row["mean_ratio"], row["mean"] / row["baseline_mean"])
        self.failed(2, "section neighbours is of 2 to 32 specials", "stats", self.world, "seldom",
                    "--section", "neighbours")

    def test_neighbours_of_a_sweep(self):
        """A sweep keeps no tiles: points are any cells, and places are counted as in a world
        of that seed."""
        file = self.path("copy.db")
        shutil.copy(self.world, file)
        self.done("sweep", file, "s", "--seeds", "7", "--rect", "0,0,3,2", "--quiet")
        words = (HOSTILE[0], HOSTILE[1], "--section", "neighbours")
        swept = self.json("stats", file, "--sweep", "s", "--format", "json", "--quiet",
                          *words)["neighbours"]
        for row, beside in zip(swept, self.report(*words)["neighbours"]):
            for key in ("special", "to", "places", "none", "least", "median", "most", "mean"):
                self.assertEqual(row[key], beside[key], key)
            self.assertEqual(row["baseline"], "any cell")
            self.assertLess(abs(row["baseline_mean"] / beside["baseline_mean"] - 1), 0.3)

    def test_clustering(self):
        """Ripley's K by brute force; on land at random it is about the circle's cells."""
        name = self.sql("SELECT special FROM v_special GROUP BY 1 "
                        "ORDER BY count(*) DESC, 1 LIMIT 1")[0][0]
        places = self.places_of(name)
        rows = self.report(name, "--section", "clustering")["clustering"]
        self.assertEqual([row["radius"] for row in rows], list(range(5, 50, 5)))
        pairs = [(abs(p[0] - q[0]), abs(p[1] - q[1])) for here in places.values()
                 for i, p in enumerate(here) for q in here[:i]]
        self.assertGreater(len(pairs), 5)
        for row in rows:
            near = sum(180 ** 2 / (180 - x) / (180 - y) for x, y in pairs
                       if math.hypot(x, y) <= row["radius"])
            self.assertEqual((row["pairs"], row["baseline"]), (len(pairs), "land"))
            self.assertLess(abs(row["k"] - 180 ** 2 * near / len(pairs)), 0.001 * (1 + row["k"]))
            self.assertTrue(row["random_low"] <= row["random"] <= row["random_high"], row)
            self.assertEqual(row["pattern"], "apart" if row["k"] < row["random_low"] else
                             "in clusters" if row["k"] > row["random_high"] else "as at random")
        circle = math.pi * 45 ** 2
        self.assertTrue(0.8 * circle < rows[-1]["random"] < 2 * circle, rows[-1])
        self.assertEqual(rows, self.report(name, "--section", "clustering")["clustering"])
        words = self.done("stats", self.world, name, "--section", "clustering")
        self.assertIn("Ripley's K", words)

    def test_rates(self):
        """By region, water and largest city, beside SQL."""
        name = HOSTILE[0]
        here = {overmap: len(places) for overmap, places in self.places_of(name).items()}
        lakes = {(x, y) for x, y in self.sql(
            "SELECT DISTINCT chunk_x, chunk_y FROM terrain_count WHERE z = 0 AND terrain IN (SELECT "
            "terrain FROM overmap_terrain_flag WHERE flag IN ('LAKE', 'LAKE_SHORE', 'OCEAN'))")}
        largest = {(x, y): int(size) for x, y, size in self.sql(
            "SELECT chunk_x, chunk_y, max(size) FROM v_city GROUP BY 1, 2")}
        wanted = {}
        for overmap in self.sql("SELECT x, y FROM chunk"):
            overmap, size = tuple(overmap), largest.get(tuple(overmap), 0)
            city = "none" if size == 0 else "size 17-" if size > 16 else "size %d-%d" % (
                (size - 1) // 4 * 4 + 1, (size - 1) // 4 * 4 + 4)
            for key in (("region", "default"), ("city", city),
                        ("lake", "a lake or sea" if overmap in lakes else "none")):
                wanted.setdefault(key, []).append(here.get(overmap, 0))
        rows = {(row["by"], row["class"]): row
                for row in self.report(name, "--section", "rates")["rates"]}
        self.assertEqual(set(rows), set(wanted))
        self.assertGreater(len(wanted), 3)
        for key, row in rows.items():
            self.assertEqual(row["overmaps"], len(wanted[key]))
            self.assertAlmostEqual(row["present"], statistics.mean(wanted[key]))
            self.assertAlmostEqual(row["without"], wanted[key].count(0) / len(wanted[key]))
            self.assertTrue(row["present_low"] <= row["present"] <= row["present_high"])
            self.assertEqual(row["interval_by"], "overmaps")

    def test_blocks(self):
        """Seeds of three overmaps each are blocks: their sums are what spreads."""
        file = self.path("blocks.db")
        shutil.copy(self.world, file)
        self.done("sweep", file, "s", "--seeds", "1..9", "--rect", "0,0,2,0", "--quiet")
        report = self.json("stats", file, "--sweep", "s", "--format", "json", "--quiet")
        self.assertEqual((report["sample"]["blocks"], report["sample"]["overmaps"]), (9, 27))
        sums = {row["special"]: {seed: 0 for seed in range(1, 10)} for row in report["specials"]}
        for special, seed, count in csv.reader(io.StringIO(self.done(
                "query", file, "SELECT special, seed, sum(placed + others) FROM sweep_special "
                "GROUP BY 1, 2", "--format", "csv", "--no-header"))):
            sums[plain(special)][int(seed)] = int(count)
        wide = 0
        for row in report["specials"]:
            found = list(sums[row["special"]].values())
            self.assertEqual(row["interval_by"], "blocks")
            if row["variance"] > 0:
                effect = statistics.variance(found) * 9 / 27 / row["variance"]
                self.assertAlmostEqual(row["design_effect"], effect)
            if row["present"] > 1 and row["variance"] > 0 and row["present_low"] > 0:
                half = 2.306004 * math.sqrt(statistics.variance(found) * 9) / 27
                self.assertAlmostEqual(row["present_high"] - row["present"], half, 5)
                wide += 1
        self.assertGreater(wide, 2)
        self.assertIn(", by 9 blocks of overmaps", self.done("stats", file, "--sweep", "s"))
        # One overmap a seed: strangers. In twelve overmaps there is one block of 4 x 4.
        self.done("sweep", file, "one", "--seeds", "1..9", "--quiet")
        for report in (self.json("stats", file, "--sweep", "one", "--format", "json"),
                       self.report()):
            self.assertEqual(report["sample"]["blocks"], 0)
            self.assertEqual({(row["interval_by"], row["design_effect"])
                              for row in report["specials"]}, {("overmaps", None)})

    def test_overmaps(self):
        report = self.report("--all")
        cells = {name: (int(n), int(maps)) for name, n, maps in self.sql(
            "SELECT terrain, sum(omts), count(DISTINCT chunk_x || ',' || chunk_y) "
            "FROM terrain_count GROUP BY terrain")}
        self.assertEqual({row["terrain"]: (row["cells"], row["overmaps"])
                          for row in report["terrains"]}, cells)
        self.assertEqual(sum(row["cells"] for row in report["terrains"]), CHUNKS * 21 * 180 * 180)
        sizes = dict(self.sql("SELECT min(size, 16), count(*) FROM v_city GROUP BY 1"))
        self.assertEqual({str(row["size"]): str(row["cities"]) for row in report["cities"]}, sizes)
        self.check_buildings(report)
        self.assertEqual(sum(row["overmaps"] for row in report["cities-per-overmap"]), CHUNKS)
        self.assertEqual({row["water"] for row in report["water"]}, {"lake", "river"})
        self.assertIn("local_road", {row["connection"] for row in report["lines"]})

    def check_buildings(self, report):
        cities = {row[:3] and tuple(row[:3]): (int(row[3]) % 180, int(row[4]) % 180)
                  for row in self.sql("SELECT chunk_x, chunk_y, number, x, y FROM v_city")}
        distances = {}
        for name, i, j, city, x, y in self.sql(
                "SELECT id, chunk_x, chunk_y, city, x, y FROM building WHERE city IS NOT NULL"):
            distances.setdefault(name, []).append(int(math.dist(
                cities[i, j, city], (int(x) % 180, int(y) % 180))))
        found = {row["building"]: row for row in report["buildings"]}
        self.assertEqual(set(found), set(distances))
        for name, row in found.items():
            here = distances[name]
            self.assertEqual((row["count"], row["distance_min"], row["distance_max"]),
                             (len(here), min(here), max(here)))
            self.assertAlmostEqual(row["distance_mean"], statistics.mean(here))
        self.assertEqual(sum(row["count"] for row in report["building-sizes"]),
                         sum(map(len, distances.values())))


class Formats(Stats):
    def test_csv(self):
        text = self.done("stats", self.world, "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual([list(row) for row in rows[:1]],
                         [list(self.report()["specials"][0])])
        self.assertLessEqual(set(HOSTILE), {plain(row["special"]) for row in rows})
        self.assertEqual({len(row) for row in csv.reader(io.StringIO(text))}, {len(rows[0])})
        one = self.done("stats", self.world, "seldom", "--format", "csv", "--section", "histogram")
        self.assertTrue(one.startswith("special,present,overmaps,share\nseldom,0,"), one)
        self.failed(2, "one section at a time", "stats", self.world, "--format", "csv", "seldom")

    def test_order_and_choice(self):
        for order, key in (("placed", lambda row: -row["placed"]), ("id", lambda row: row["special"]),
                           ("missing", lambda row: -row["short_overmaps"]),
                           ("ratio", lambda row: math.inf if row["ratio"] is None else row["ratio"])):
            rows = self.report("--sort", order)["specials"]
            keys = [key(row) for row in rows]
            if order == "id":
                keys = [name.encode() for name in keys]
            self.assertEqual(keys, sorted(keys), order)
        lacking = {row["special"] for row in self.report("--missing")["specials"]}
        self.assertIn("homeless", lacking)
        self.assertLess(len(lacking), len(self.report()["specials"]))
        self.assertTrue(all(row["verdict"] != "as asked"
                            for row in self.report("--missing")["specials"]))

    def test_level(self):
        narrow = self.report("--level", "0.5")["specials"]
        wide = self.report("--level", "0.999")["specials"]
        self.assertTrue(all(a["without_low"] >= b["without_low"] for a, b in zip(narrow, wide)))
        self.assertTrue(any(a["without_low"] > b["without_low"] for a, b in zip(narrow, wide)))

    def test_words(self):
        text = self.done("stats", self.world, "homeless", HOSTILE[0], "--quiet")
        self.assertRegex(text, r"World w: 12 overmaps\n")
        self.assertRegex(text, r"\nhomeless\n  expected +\d\.\d+ per overmap")
        self.assertIn("no city: none as near", text)
        self.assertIn("portolan why '%s' 'homeless' --world 'w'" %
                      self.world.replace("'", "'\\''"), text)
        self.assertIn("\n%s\n  expected" % HOSTILE[0], text)
        for words in ([], ["--all"], ["--missing", "--sort", "missing"]):
            self.assertGreater(len(self.done("stats", self.world, *words).split("\n")), 8)

    def test_mistakes(self):
        for words, pattern in ((["--sort", "x"], "id, placed, missing, ratio"),
                               (["--format", "xml"], "table, csv, json, jsonl, raw"),
                               (["--section", "terrain"], "did you mean terrains"),
                               (["--section", "levels"], "of one special"),
                               (["--level", "1"], "--level"),
                               (["--chart-format", "png"], "--charts DIR"),
                               (["--log"], "--charts DIR"),
                               (["--charts", "x", "--chart-format", "gif"], "svg, png"),
                               (["--world", "a", "--sweep", "b"], "exclude")):
            self.failed(2, re.escape(pattern) if pattern != "--level" else pattern, "stats",
                        self.world, *words)
        self.failed(1, "special 'seldon'; did you mean 'seldom'", "stats", self.world, "seldon")
        building = self.sql("SELECT id FROM building LIMIT 1")[0][0]
        self.failed(1, "is a building of cities", "stats", self.world, building)
        self.failed(1, "no rule asks for 'unasked'", "stats", self.world, "unasked")
        self.failed(1, "nowhere|w", "stats", self.world, "--world", "nowhere")

    def test_nothing_to_count(self):
        self.make_world()
        self.failed(1, "no complete overmap(?s:.*)portolan generate", "stats", self.file)
        self.done("generate", self.file, "--chunk", "0,0", "--stop-after", "lakes", "--quiet")
        self.failed(1, "1 are incomplete", "stats", self.file)
        self.failed(1, "import", "stats", self.path("none.db"))

    def test_other_content(self):
        """What overmaps have is counted, though the content has changed since."""
        self.make_world()
        self.done("generate", self.file, "--chunk", "0,0", "--quiet")
        before = self.json("stats", self.file, "--format", "json")
        self.done("import", self.file, "--builtin", self.pack)
        after = self.json("stats", self.file, "--format", "json")
        self.assertEqual(before["sample"]["content"], before["sample"]["definitions"])
        self.assertEqual(before["sample"]["content"], after["sample"]["content"])
        # The file keeps what its worlds were made with: all is as it was.
        self.assertEqual(before, after)
        self.assertNotIn("has other content now", self.done("stats", self.file))
        # A file of before schema 7 did not: then it is the present content that is asked.
        db = sqlite3.connect(self.file)
        db.execute("DELETE FROM content_past")
        db.commit()
        db.close()
        after = self.json("stats", self.file, "--format", "json")
        self.assertEqual(before["sample"]["content"], after["sample"]["content"])
        self.assertNotEqual(after["sample"]["content"], after["sample"]["definitions"])
        placed = [{row["special"]: row["placed"] for row in report["specials"] if row["placed"]}
                  for report in (before, after)]
        self.assertEqual(placed[0], placed[1])
        self.assertIn("has other content now", self.done("stats", self.file))


class Sectors(CommandTest):
    def test_bounds(self):
        self.import_builtin()
        self.done("new", self.file, "w", "--seed", "3", "--placement", "sectors")
        self.done("generate", self.file, "--rect", "0,0,1,1", "--quiet")
        rows = self.json("stats", self.file, "--format", "json")["specials"]
        for row in rows:
            if row["kind"] == "plain" and row["occurrences_max"] > row["occurrences_min"]:
                self.assertEqual((row["expected"], row["expected_min"], row["expected_max"]),
                                 (None, row["occurrences_min"], row["occurrences_max"]))
        # What sectors ask for is the most that they may place: hardly any special has that.
        verdicts = {row["verdict"] for row in rows if row["kind"] == "plain"}
        self.assertIn("within bounds", verdicts)
        self.assertNotIn("as asked", verdicts)
        self.check_sweep()

    def check_sweep(self):
        """Overmaps of a sweep are those of a world of that seed."""
        self.done("sweep", self.file, "many", "--seeds", "3..5", "--placement", "sectors", "--quiet")
        report = self.json("stats", self.file, "--sweep", "many", "--format", "json")
        self.assertEqual([report["sample"][key] for key in ("kind", "name", "overmaps", "seed")],
                         ["sweep", "many", 3, None])
        here = dict(csv.reader(io.StringIO(self.done(
            "query", self.file, "SELECT special, count(*) FROM v_special WHERE chunk_x = 0 AND "
            "chunk_y = 0 GROUP BY special", "--format", "csv"))))
        self.done("sweep", self.file, "one", "--seeds", "3", "--placement", "sectors", "--quiet")
        rows = self.json("stats", self.file, "--sweep", "one", "--format", "json")["specials"]
        for row in rows:
            self.assertEqual((row["special"], row["present"]),
                             (row["special"], int(here.get(row["special"], 0))))


class Charts(Stats):
    def setUp(self):
        super().setUp()
        if not shutil.which("gnuplot"):
            self.assertNotEqual(os.environ.get("CI"), "true", "gnuplot is missing")
            print("SKIPPED: gnuplot is not installed")
            self.skipTest("gnuplot is not installed")

    def draw(self, *words):
        """Draws into a new folder; the pictures by name."""
        folder = self.path("charts")
        self.done("stats", self.world, "--charts", folder, "--quiet", *words, cwd=self.folder)
        return {name: os.path.join(folder, name) for name in sorted(os.listdir(folder))}

    def test_svg(self):
        pictures = self.draw(*HOSTILE[:3], "--section", "specials", "--section", "histogram",
                             "--section", "lines")
        texts = ""
        for name, path in pictures.items():
            self.assertRegex(name, r"\A[\w-][\w.-]*\.svg\Z")
            tree = xml.etree.ElementTree.parse(path)
            texts += "".join(tree.getroot().itertext())
        self.assertEqual(sum(name.startswith("histogram-") for name in pictures), 3)
        self.assertIn("specials-1.svg", pictures)
        self.assertIn("world w, 12 overmaps", texts)
        for text in ("it's \"quoted\"", "back\\slash \\n", "`touch HACKED`", "@macro $(touch X)",
                     "<b>&amp;&lt;", "комета",
                     "%s %n {/Bold x}_2^3"):
            self.assertIn(text, texts)
        # Nothing of it was run, and nothing was left behind.
        self.assertEqual(sorted(os.listdir(self.folder)), ["charts"])

    def test_png(self):
        pictures = self.draw("seldom", "--section", "distances", "--section", "water", "--chart-format", "png", "--log")
        self.assertIn("distance-city-seldom.png", pictures)
        for path in pictures.values():
            with open(path, "rb") as file:
                data = file.read()
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            self.assertIn(b"IEND", data[-16:])

    def test_no_directory(self):
        blocked = self.write("file", "")
        self.failed(1, "file", "stats", self.world, "--charts", blocked + "/below")
        self.failed(1, "Not a directory", "stats", self.world, "--charts", blocked)

    def fake(self, text):
        """A gnuplot of our own, first of the path."""
        folder = self.path("bin")
        os.mkdir(folder)
        with open(os.path.join(folder, "gnuplot"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(os.path.join(folder, "gnuplot"), 0o755)
        return dict(os.environ, PATH=folder + ":" + os.environ["PATH"])

    def test_failures(self):
        environment = self.fake("echo half; echo 'no such terminal' >&2; exit 3\n")
        result = self.failed(1, "(?s)could not draw.*no such terminal", "stats", self.world,
                             "--charts", self.path("c"), env=environment)
        self.assertIn("World w", result.stdout)  # the report is there all the same
        self.assertEqual(os.listdir(self.path("c")), [])

    def test_interrupt(self):
        environment = self.fake("cat >/dev/null\nexec sleep 20\n")
        with subprocess.Popen([COMMAND, "stats", self.world, "--charts", self.path("c")],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              env=environment, start_new_session=True) as child:
            deadline = time.monotonic() + 20
            while not os.path.isdir(self.path("c")) or not os.listdir(self.path("c")):
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.01)
            time.sleep(0.05)
            os.killpg(child.pid, signal.SIGINT)
            self.assertIn("stopped", child.communicate(timeout=20)[1])
        self.assertEqual(child.returncode, 1)
        self.assertEqual(os.listdir(self.path("c")), [])


class NoGnuplot(Stats):
    def test_named(self):
        empty = self.path("empty")
        os.mkdir(empty)
        result = self.failed(1, "install the package gnuplot-nox", "stats", self.world, "--charts",
                             self.path("c"), env=dict(os.environ, PATH=empty))
        self.assertEqual(result.stdout, "", "it is said before all work")
        self.assertFalse(os.path.exists(self.path("c")))


if __name__ == "__main__":
    unittest.main()
