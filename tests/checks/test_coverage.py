"""portolan coverage: planted terrains that do not come, each for another reason, and what it says of
them; whitelists, baselines, formats and exit codes; the same answer for every number of threads.

PORTOLAN_SOAK_COVERAGE=1 also asks the contents of the games: nothing that never comes, as it says,
comes in 5,000 overmaps of other seeds (another command makes these: sweep).
"""

import csv
import io
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from support import COMMAND, SOURCE, CommandTest, run, wait_for_handler  # noqa: E402

PLANTED = os.path.join(SOURCE, "tests", "content", "coverage")
SHARED = os.environ.get("PORTOLAN_SHARED") or os.path.join(SOURCE, "..", "shared")
GAME = "/usr/share/games/cataclysm-dda/json"

# Each planted terrain: its verdict, its reason, and why what would place it never comes.
TERRAINS = {
    "cov_unnamed": ("never", "unnamed", ""),
    "cov_piece": ("never", "piece", ""),
    "cov_rule": ("never", "piece", ""),
    "cov_connection": ("never", "connection", ""),
    "cov_bridge": ("never", "connection", ""),
    "cov_zero": ("never", "placer", "zero"),
    "cov_none": ("never", "placer", "zero"),
    "cov_reversed": ("never", "placer", "zero"),
    "cov_bin": ("never", "placer", "no-bin"),
    "cov_weight": ("never", "placer", "zero"),
    "cov_condition": ("never", "placer", "condition"),
    "cov_ground": ("never", "placer", "ground"),
    "cov_below": ("never", "placer", "ground"),
    "cov_check": ("never", "placer", "ground"),
    "cov_ways": ("never", "placer", "ways"),
    "cov_city": ("never", "placer", "city"),
    "cov_join": ("never", "placer", "join"),
    "cov_region": ("never", "placer", "region"),
    "cov_rare": ("rare", "not-drawn", "not-drawn"),
    "cov_fine": ("comes", "", ""),
    "cov_narrow": ("not-seen", "not-found", "fits-nowhere"),
    "cov_unwanted": ("comes", "", ""),
}
LACKS = {"cov_ground_place": "cov_unnamed", "cov_check_place": "cov_unnamed",
         "cov_below_place": "forest", "cov_ways_place": "cov_connection",
         "cov_join_place": "cov_unnamed"}


def line_of(name, file):
    """The line in which a planted definition stands: one line for each."""
    with open(os.path.join(PLANTED, file), encoding="utf-8") as lines:
        return next(i for i, line in enumerate(lines, 1) if '"id": "%s"' % name in line)


class Coverage(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.result = run("coverage", "--builtin", PLANTED, "--overmaps", 40, "--format", "csv", "-q")
        cls.rows = list(csv.DictReader(io.StringIO(cls.result.stdout)))

    def entries(self, kind):
        return {row["id"]: row for row in self.rows if row["kind"] == kind}

    def coverage(self, *more, code=1):
        result = run("coverage", "--builtin", PLANTED, "--overmaps", 10, *more)
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stdout

    # -- verdicts --

    def test_each_planted_terrain_has_its_reason_and_place(self):
        self.assertEqual(self.result.returncode, 1, self.result.stderr)
        found = self.entries("terrain")
        self.assertEqual({i: (r["verdict"], r["reason"], r["because"]) for i, r in found.items()}, TERRAINS)
        for name, row in found.items():
            self.assertEqual(row["place"], "%s/terrain.json:%d" % (PLANTED, line_of(name, "terrain.json")))
            self.assertEqual(row["pack"], "planted")

    def test_what_places_a_terrain_is_named(self):
        terrains, specials = self.entries("terrain"), self.entries("special")
        for name, row in terrains.items():
            if row["because"]:
                self.assertIn(row["by"], [name + "_place", name + "_house"], row)
        for name, lacks in LACKS.items():
            self.assertEqual(specials[name]["by"], lacks)
            self.assertIn(lacks, specials[name]["why"])
        self.assertEqual(self.entries("building")["cov_bin_house"]["reason"], "no-bin")
        self.assertEqual(self.entries("building")["cov_weight_house"]["reason"], "zero")

    def test_mapgen_and_map_extras(self):
        entries = [(r["id"], r["verdict"], r["reason"], r["place"].rpartition(":")[2])
                   for r in self.rows if r["kind"] == "mapgen"]
        self.assertEqual(sorted(entries), [("cov_fine", "comes", "", "2"), ("cov_fine", "never", "zero", "3"),
                                           ("cov_zero", "never", "terrain", "4")])
        extra = self.entries("extra")
        self.assertEqual([(i, r["verdict"], r["reason"]) for i, r in extra.items()],
                         [("mx_cov_unlisted", "never", "unnamed")])

    def test_counts_and_bounds(self):
        specials = self.entries("special")
        fine, rare, narrow = (specials["cov_%s_place" % n] for n in ("fine", "rare", "narrow"))
        with_it, of = int(fine["with"]), int(fine["overmaps"])
        self.assertEqual(int(fine["expected"].partition(".")[0]), of)  # UNIQUE, 1 in 1
        self.assertTrue(0 < float(fine["low"]) < with_it / of < float(fine["high"]) <= 1)
        # 1 in 100,000: the chance that none comes is what the definition says, and forced it came.
        self.assertAlmostEqual(float(rare["unseen"]), (1 - 1e-5) ** int(rare["overmaps"]), 6)
        self.assertAlmostEqual(float(rare["high"]), 1 - 0.05 ** (1 / int(rare["overmaps"])), 6)
        self.assertGreater(int(rare["stood"]), 0)
        # Asked for in each overmap, and no ground: 8 x 8 OMTs of road.
        self.assertEqual([int(narrow[k]) for k in ("ground", "linked", "city", "room", "stood")], [0] * 5)
        self.assertEqual(int(narrow["tried"]), int(narrow["overmaps"]) + int(narrow["forced"]))

    def test_overmaps_are_made_of_every_region(self):
        regions = 3  # default, marsh and the sea
        self.assertEqual(int(self.entries("special")["cov_fine_place"]["overmaps"]) % (regions * 40), 0)

    def test_the_same_for_every_number_of_threads(self):
        one = self.coverage("--format", "jsonl", "-q")
        self.assertEqual(one, self.coverage("--format", "jsonl", "-q", "--jobs", 3))
        self.assertNotEqual(one, self.coverage("--format", "jsonl", "-q", "--seed", 1000))

    def test_a_world_file_as_folders(self):
        self.done("import", self.file, "--builtin", PLANTED, "-q")
        before = os.stat(self.file)
        result = run("coverage", self.file, "--pack", "planted", "--overmaps", 10, "--format", "jsonl", "-q")
        self.assertEqual(result.stdout, self.coverage("--format", "jsonl", "-q"))
        self.assertEqual((os.stat(self.file).st_mtime_ns, os.stat(self.file).st_size),
                         (before.st_mtime_ns, before.st_size))

    # -- what is asked for --

    def test_kinds_and_verdicts(self):
        rows = json.loads(self.coverage("--json", "-q", "--kind", "building,extra", "--verdict", "never"))
        self.assertEqual({(r["kind"], r["verdict"]) for r in rows}, {("building", "never"), ("extra", "never")})
        # Nothing but a proof is needed for these, so no overmap is made for buildings alone.
        rows = json.loads(self.coverage("--json", "-q", "--kind", "building"))
        self.assertEqual({r["overmaps"] for r in rows}, {0})
        rows = json.loads(self.coverage("--json", "-q", "--verdict", "rare", code=0))
        self.assertEqual({r["id"] for r in rows}, {"cov_rare", "cov_rare_place"})

    def test_a_pack_alone(self):
        out = self.coverage("--pack", "portolan", "--kind", "building", "--verdict", "never", "--format", "csv",
                            "-q", code=0)
        self.assertEqual(len(out.splitlines()), 1)
        self.failed(2, "pack 'planned'.*planted", "coverage", "--builtin", PLANTED, "--pack", "planned")

    # -- what need not come --

    def white(self, ids):
        return self.write("white.json", json.dumps(ids))

    def test_a_whitelist(self):
        never = [i for i, (verdict, _, _) in TERRAINS.items() if verdict in ("never", "not-seen")]
        specials = [i for i in self.entries("special") if i != "cov_fine_place"]
        white = self.white(never + specials + ["cov_bin_house", "cov_weight_house", "mx_cov_unlisted"])
        out = self.coverage("--whitelist", white, "--kind", "terrain,special,building,extra", "--format", "github",
                            "-q", code=0)
        # What is listed and comes all the same; and what the content marks, and comes.
        self.assertEqual(set(re.findall(r"COV003::(\w+)", out)),
                         {"cov_unwanted", "cov_unwanted_place", "cov_piece_place"})
        self.assertNotIn("COV001", out)
        white = self.white([{"type": "TEST_DATA", "overmap_terrain_coverage_whitelist": never[:-1]}])
        out = self.coverage("--whitelist", white, "--kind", "terrain", "--format", "github", "-q")
        self.assertEqual(re.findall(r"COV00[12]::(\w+)", out), [never[-1]])

    def test_what_only_something_listed_would_place(self):
        placed = [e for e in self.entries("terrain").values() if e["by"] == "cov_zero_place"]
        self.assertEqual([e["id"] for e in placed], ["cov_zero"])
        rows = json.loads(run("coverage", "--builtin", PLANTED, "--kind", "terrain,special", "--json", "-q",
                              "--overmaps", 5, "--whitelist", self.white(["cov_zero_place"])).stdout)
        self.assertEqual({r["id"] for r in rows if r["whitelisted"]}, {"cov_zero_place", "cov_zero", "cov_unwanted"})

    def test_the_games_own_list_is_found(self):
        mods = self.path("mods")
        shutil.copytree(PLANTED, os.path.join(mods, "planted"))
        place = os.path.join(mods, "TEST_DATA", "overmap_terrain_coverage_test")
        os.makedirs(place)
        name = os.path.join(place, "overmap_terrain_coverage_whitelist.json")
        shutil.copy(self.white([{"overmap_terrain_coverage_whitelist": ["cov_unnamed"]}]), name)
        rows = json.loads(run("coverage", "--builtin", os.path.join(mods, "planted"), "--kind", "terrain", "--json",
                              "-q", "--overmaps", 5).stdout)
        self.assertEqual({r["id"] for r in rows if r["whitelisted"]}, {"cov_unnamed", "cov_unwanted"})

    def test_a_baseline(self):
        known = self.path("known.json")
        self.coverage("--kind", "terrain", "-q", "--write-baseline", known, code=0)
        # More overmaps, so other counts: what is known stays known.
        result = run("coverage", "--builtin", PLANTED, "--kind", "terrain", "--baseline", known, "-q",
                     "--overmaps", 30)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.coverage("--kind", "special", "--baseline", known, "-q")

    # -- forms --

    def test_forms_for_machines(self):
        sarif = json.loads(self.coverage("--format", "sarif", "-q"))["runs"][0]
        self.assertEqual([r["id"] for r in sarif["tool"]["driver"]["rules"]], ["COV001", "COV002", "COV003"])
        self.assertIn("cov_unnamed", [r["locations"][0]["logicalLocations"][0]["name"] for r in sarif["results"]])
        self.assertIn("<failure type=\"COV001\"", self.coverage("--format", "junit", "-q"))
        self.assertIn("::warning file=%s/specials.json" % PLANTED, self.coverage("--format", "github", "-q"))
        for form in "table", "csv", "json", "sarif", "github":
            self.assertEqual(self.coverage("-q", "--format", form, "-o", self.path("out")), "")
            with open(self.path("out"), encoding="utf-8") as file:
                self.assertEqual(file.read(), self.coverage("-q", "--format", form))
        table = self.coverage("-q")
        self.assertRegex(table, r"terrain +2 +1 +1 +18 +1\n")

    def test_what_is_left_out_is_said(self):
        """A mod whose base is not given, with its place; a special, and the rest of a file, with errors."""
        os.makedirs(self.path("mod"))
        self.write("mod/modinfo.json", '[{"type": "MOD_INFO", "id": "mod", "name": "x", "dependencies": ["no_such_mod"]}]')
        self.write("mod/a.json", json.dumps([{"type": "overmap_special", "id": "x", "locations": ["land"], "occurrences": [0, 1],
                                              "overmaps": [{"point": [0, 0, 0], "overmap": "nowhere_north"}]}]))
        self.write("mod/b.json", "[{]")
        words = [self.path("mod"), "--overmaps", "1", "--kind", "building", "-q"]
        told = run("coverage", "--builtin", *words).stderr
        self.assertIn("mod/modinfo.json:1:1: mod: warning: PK102: depends on mod 'no_such_mod'", told)
        self.assertIn("portolan coverage: 2 errors: what has them is left out; 'portolan lint' says more", told)
        self.assertEqual(run("coverage", "--builtin", "--overmaps", "1", "--kind", "building", "-q").stderr, "")

    def test_wrong_use(self):
        for pattern, *arguments in (
                ("which content", ), ("none of terrain", PLANTED, "--kind", "tile"),
                ("none of comes", PLANTED, "--verdict", "maybe"), ("--overmaps", PLANTED, "--overmaps", 0),
                ("less than", PLANTED, "--overmaps", 9, "--until", 8), ("--jobs", PLANTED, "--jobs", 65),
                ("not there", self.path("none"))):
            self.failed(2, pattern, "coverage", *arguments)
        self.failed(1, "no list of ids", "coverage", "--builtin", "--whitelist", self.write("w.json", "{}"))
        self.failed(1, "no JSON", "coverage", "--builtin", "--whitelist", self.write("w.json", "[["))
        self.failed(1, "can't be read", "coverage", "--builtin", "--whitelist", self.path("none"))

    def test_a_signal_stops_it_within_a_second(self):
        own = self.path("tmp")  # tests beside this one have their files in the usual place
        os.mkdir(own)
        process = subprocess.Popen([COMMAND, "coverage", "--builtin", PLANTED, "--overmaps", "50000", "--jobs", "2"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "TMPDIR": own})
        wait_for_handler(process, signal.SIGINT)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        out, err = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - begun, 10)  # the machine may be busy
        self.assertEqual((process.returncode, out), (1, ""))
        self.assertIn("stopped", err)
        self.assertEqual(os.listdir(own), [])


@unittest.skipUnless(os.environ.get("PORTOLAN_SOAK_COVERAGE"), "only in soaks")
class Games(CommandTest):
    """What never comes, as coverage says, is in no overmap of a sweep over other seeds."""

    def check(self, file):
        rows = json.loads(run("coverage", file, "--verdict", "never", "--json", "-q", "--jobs", 2,
                              "--kind", "terrain,special,building", timeout=3600).stdout)
        self.assertGreater(len(rows), 10)
        never = {kind: {r["id"] for r in rows if r["kind"] == kind} for kind in ("terrain", "special", "building")}
        regions = [r[0] for r in sqlite3.connect(file).execute("SELECT id FROM region_settings")]
        seeds, counted = -(-5000 // (9 * len(regions))), dict.fromkeys(never, 0)
        for i, region in enumerate(regions):
            self.done("sweep", file, "s%d" % i, "--seeds", "700001..%d" % (700000 + seeds), "--chunks", 9,
                      "--region", region, "--jobs", 2, "-q", timeout=3600)
            found = json.loads(self.done("stats", file, "--sweep", "s%d" % i, "--all", "--json", timeout=3600))
            for kind, key, count in (("terrain", "terrain", "cells"), ("special", "special", "present"),
                                     ("building", "building", "count")):
                came = {row[key] for row in found[kind + "s"] if row[count] > 0}
                counted[kind] = max(counted[kind], len(came))
                self.assertEqual(came & never[kind], set(), region)
        self.assertGreater(min(counted.values()), 40, counted)
        print("%s: %d overmaps, never: %s; came in one region: %s" % (
            os.path.basename(file), seeds * 9 * len(regions), {k: len(v) for k, v in never.items()}, counted), flush=True)

    def test_games(self):
        names = ("dda-0I", "dda-2026-08", "bn-2026-08")
        for name in names:
            archive = os.path.join(SHARED, "content", "today", name + ".tar.zst")
            if not os.path.exists(archive):
                self.skipTest("no " + archive)
            subprocess.run(["tar", "--zstd", "-xf", archive, "-C", self.folder], check=True)
            folders = [os.path.join(self.folder, f) for f in ("core", "json", "names")
                       if os.path.isdir(os.path.join(self.folder, f))]
            self.done("import", self.path(name + ".db"), *folders, "-q", "--no-warnings")
            self.check(self.path(name + ".db"))
            for folder in os.listdir(self.folder):
                if os.path.isdir(self.path(folder)):
                    shutil.rmtree(self.path(folder))

    def test_debian(self):
        if not os.path.isdir(GAME):
            self.skipTest("no cataclysm-dda-data")
        self.done("import", self.file, GAME, "-q", "--no-warnings")
        self.check(self.file)


if __name__ == "__main__":
    unittest.main()
