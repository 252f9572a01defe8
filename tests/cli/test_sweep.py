"""sweep: rows, stopping and going on, precision, what is refused, and what status says of it."""

import hashlib
import json
import math
import os
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from support import COMMAND, DDA, CommandTest

QUICK = "PORTOLAN_QUICK" in os.environ
# Both rules in a long run; a unit test has both with other content.
RULES = ("quota", "sectors") if "PORTOLAN_SOAK_SEEDS" in os.environ else ("quota",)
COLUMNS = "seed, x, y, specials, places, terrains, cities, buildings, lines, waters, baseline"
# Small cities and few specials: overmaps that take little time.
SMALL = ["--city-size", "2", "--specials-density", "0.3"]


class SweepTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.import_builtin()

    def sweep(self, name, *arguments):
        return self.done("sweep", self.file, name, "-q", *arguments)

    def rows(self, name, file=None):
        """All overmaps of a sweep, in the order of their rows."""
        with sqlite3.connect("file:%s?mode=ro" % (file or self.file), uri=True) as db:
            found = db.execute("SELECT %s FROM sweep_chunk WHERE sweep_id = (SELECT id FROM "
                               "sweep WHERE name = ?) ORDER BY id" % COLUMNS, (name,)).fetchall()
        db.close()
        return found

    def digest(self, name, file=None):
        return hashlib.sha256(repr(self.rows(name, file)).encode()).hexdigest()

    def status(self):
        return {s["sweep"]: s for s in self.json("status", self.file, "--json")["sweeps"]}


class Making(SweepTest):
    def test_threads_places_and_status(self):
        text = self.done("sweep", self.file, "--seeds", "3..5", "--chunks", "2", *SMALL)
        self.assertRegex(text, r"^6 overmaps made and counted in .* s \(.*/s\)\n6 overmaps; half")
        self.assertEqual([r[:3] for r in self.rows("sweep")],
                         [(s, x, y) for s in (3, 4, 5) for x, y in ((0, 0), (-1, -1))])
        self.sweep("two", "--seeds", "3..5", "--chunks", "2", "-j", "3", *SMALL)
        self.assertEqual(self.rows("two"), self.rows("sweep"))
        self.sweep("rect", "--seeds", "0xFFFFFFFFFFFFFFFF", "--rect", "-1,0,0,1", *SMALL)
        self.assertEqual([r[:3] for r in self.rows("rect")],
                         [(-1, x, y) for y in (0, 1) for x in (-1, 0)])
        self.sweep("rect", "--seeds", "7", *SMALL)
        status = self.status()
        self.assertEqual([status[n]["overmaps"] for n in ("rect", "sweep", "two")], [5, 6, 6])
        self.assertEqual((status["rect"]["first"], status["rect"]["last"], status["rect"]["seeds"],
                          status["rect"]["stale"], status["rect"]["city_size"]),
                         ("7", str(2 ** 64 - 1), 2, "no", 2))
        self.assertIn("\nSweeps\n", self.done("status", self.file))
        self.done("verify", self.file)
        self.assertEqual(self.done("sweep", self.file, "two", "--delete"),
                         "sweep 'two' is removed\n")
        self.assertNotIn("two", self.status())
        self.failed(1, "two", "sweep", self.file, "two", "--delete")
        self.done("verify", self.file)

    def test_settings(self):
        self.done("new", self.file, "w", "--seed", 9, "--placement", "sectors", *SMALL)
        self.sweep("s", "--seeds", "9", "--world", "w")
        self.failed(1, r"(?s)placement sectors \(not quota\).*--replace", "sweep", self.file, "s",
                    "--seeds", "10", *SMALL)
        self.sweep("s", "--seeds", "10")  # those that it has
        self.assertEqual(self.status()["s"]["placement"], "sectors")
        self.done("generate", self.file, "--chunk", "0,0", "-q")
        asked = self.json("query", self.file, "--format", "json",
                          "SELECT special, placed FROM v_special_count WHERE placed > 0 "
                          "ORDER BY special")
        rows = self.json("sweep", self.file, "s", "--json", "--level", "0.9")["specials"]
        self.assertGreater(len(asked), 0)
        self.assertTrue({r["special"] for r in rows if r["estimate"] > 0} &
                        {a["special"] for a in asked})
        self.sweep("s", "--seeds", "10", "--replace", *SMALL)
        self.assertEqual(len(self.rows("s")), 1)
        self.assertEqual(self.status()["s"]["placement"], "quota")
        self.failed(1, "no world 'nope'|holds no world|nope", "sweep", self.file, "t", "--seeds",
                    "1", "--world", "nope")

    def test_other_content(self):
        self.sweep("s", "--seeds", "1..2", *SMALL)
        os.mkdir(self.path("mod"))
        self.write("mod/a.json", json.dumps(
            [{"type": "overmap_terrain", "id": "sweep_hut", "name": "hut", "sym": "h",
              "color": "white"}]))
        self.done("import", self.file, "--builtin", self.path("mod"))
        self.assertEqual(self.status()["s"]["stale"], "yes")
        self.failed(1, "made otherwise: content of before", "sweep", self.file, "s", "--seeds",
                    "3")
        self.assertEqual(len(self.rows("s")), 2)
        self.done("verify", self.file)

    def test_keep_tiles(self):
        self.sweep("s", "--seeds", "4..5", "--keep-worlds", *SMALL)
        self.done("new", self.file, "own", "--seed", 5, *SMALL)
        self.done("generate", self.file, "--world", "own", "--chunk", "0,0", "-q")
        self.assertEqual(self.done("digest", self.file, "--world", "own").split()[-1],
                         self.done("digest", self.file, "--world", "s/5").split()[-1])
        self.sweep("t", "--seeds", "4..5", *SMALL)
        self.assertEqual(self.rows("t"), self.rows("s"))
        self.done("verify", self.file)

    def test_shards(self):
        """The shards of a sweep have together the rows of a sweep made in one piece."""
        asked = ["--seeds", "3..7", "--chunks", "2", *SMALL]
        self.sweep("s", *asked)
        for count in (1, 3, 7):
            found = []
            for number in range(1, count + 1):
                name = "s%d-%d" % (count, number)
                for _ in range(2):  # the second call finds all there
                    self.sweep(name, *asked, "--shard", "%d/%d" % (number, count))
                found += self.rows(name)
            self.assertEqual(found, self.rows("s"))

    def test_usage(self):
        for words, pattern in [
                ([], "say which seeds"),
                (["--seeds", "1...3"], "neither A..B nor a seed"),
                (["--seeds", "..3"], "neither A..B nor a seed"),
                (["--seeds", "5..4"], "the lower one comes first"),
                (["--seeds", "1", "--chunks", "0"], "in 1..10000"),
                (["--seeds", "1", "--chunks", "2", "--rect", "0,0,0,0"], "exclude each other"),
                (["--seeds", "1", "--rect", "0,0,999,999"], "more than 10000"),
                (["--seeds", "1", "--precision", "0.1", "--until-precision", "0.1"],
                 "exclude each other"),
                (["--seeds", "1", "--max-seeds", "3"], "goes with --until-precision"),
                (["--seeds", "1", "--precision", "0"], "precision"),
                (["--seeds", "1", "--level", "1"], "level"),
                (["--delete"], "wants the sweep's name"),
                (["--seeds", "1", "--placement", "odd"], "none of quota.sectors")]:
            self.failed(2, pattern, "sweep", self.file, *words)
        self.failed(1, "seeds must be", "sweep", self.file, "--seeds", "0..%d" % (2 ** 64 - 1))
        self.failed(1, "no sweep", "sweep", self.file, "nope", "--precision", "0.1")


class Stopping(SweepTest):
    def start(self, *arguments):
        return subprocess.Popen([COMMAND, "sweep", self.file, "s", *arguments],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_killed_and_stopped(self):
        seeds = ["--seeds", "1..70", "--city-size", "0",
                 "--specials-density", "0.01"]
        whole = self.path("whole.db")
        shutil.copy(self.file, whole)
        self.done("sweep", whole, "s", "-q", *seeds)
        counts = [0]
        for stop in (signal.SIGKILL, signal.SIGINT):
            running = self.start("--jobs", "2", *seeds)
            deadline = time.monotonic() + 60
            while running.poll() is None and time.monotonic() < deadline:
                time.sleep(0.005)
                try:
                    if len(self.rows("s")) > counts[-1]:
                        break
                except sqlite3.Error:  # a hot journal, or being written
                    pass
            running.send_signal(stop)
            _, errors = running.communicate()
            self.done("verify", self.file)
            counts.append(len(self.rows("s")))
            # With all of them made, it was stopped while it counted.
            if stop == signal.SIGINT and running.returncode == 1 and counts[-1] < 70:
                self.assertIn("The same command again goes on from there", errors)
        self.assertEqual(counts, sorted(counts))
        self.done("sweep", self.file, "s", "-q", *seeds)
        self.assertEqual(self.digest("s"), self.digest("s", whole))


class Precision(SweepTest):
    def test_needed(self):
        self.sweep("s", "--seeds", "1..20", *SMALL)
        report = self.json("sweep", self.file, "s", "--precision", "0.05", "--json")
        self.assertEqual((report["sweep"], report["overmaps"], report["wanted"]), ("s", 20, 0.05))
        known = [r for r in report["specials"] if r["half_width"] is not None]
        self.assertTrue(known)
        for row in known:
            self.assertLessEqual(row["low"], row["estimate"])
            self.assertGreaterEqual(row["high"], row["estimate"])
            half = (row["high"] - row["low"]) / 2
            if row["rate"] == "mean":
                half /= row["estimate"]
            self.assertAlmostEqual(half, row["half_width"], 6)
            # What is precise enough needs no more than is there, what is not needs more.
            self.assertEqual(row["needed"] > 21, row["half_width"] > 0.05 * 1.05, row)
            if row["rate"] == "share" and row["needed"] > 100:
                p, z = row["estimate"], 1.96
                normal = z * z * p * (1 - p) / 0.05 ** 2
                self.assertLess(abs(row["needed"] - normal), 0.1 * normal + 2 * z * z / 0.05)
        table = self.done("sweep", self.file, "s", "--precision", "0.05")
        self.assertRegex(table, r"All of them: %d overmaps" %
                         max(r["needed"] or 0 for r in report["specials"]))
        self.failed(1, "no special 'nope'", "sweep", self.file, "s", "--precision", "0.1",
                    "--special", "nope")

    def test_until(self):
        rows = self.json("sweep", self.file, "s", "--seeds", "1..5", "--json", "--precision",
                         "0.5", *SMALL)["specials"]
        best = min((r for r in rows if r["needed"] and r["half_width"] > 0.5),
                   key=lambda r: r["needed"])
        one = ["--until-precision", "0.5", "--seeds", "1..5", "--special", best["special"]]
        report = self.json("sweep", self.file, "s", "--json", *one)
        self.assertEqual(len(report["specials"]), 1)
        self.assertLessEqual(report["specials"][0]["half_width"], 0.5)
        self.assertEqual(report["overmaps"], len(self.rows("s")))
        self.assertGreater(report["overmaps"], 5)
        # It is reached: nothing more is made.
        before = self.rows("s")
        self.done("sweep", self.file, "s", *one)
        self.assertEqual(self.rows("s"), before)
        self.failed(1, "not reached within 3 seeds", "sweep", self.file, "t", "--seeds", "1..2",
                    "--until-precision", "0.001", "--max-seeds", "3", *SMALL)
        self.assertEqual([r[0] for r in self.rows("t")], [1, 2, 3])
        self.assertTrue(math.isfinite(best["half_width"]))


@unittest.skipIf(QUICK, "a unit test does this with less content")
class Game(CommandTest):
    def test_counts_of_worlds(self):
        """With the game's content: a sweep's counts are those of stored worlds."""
        if not os.path.isdir(DDA):
            if os.environ.get("CI") == "true":
                self.fail("%s is missing" % DDA)
            print("SKIPPED: %s is not there" % DDA)
            return
        self.done("import", self.file, DDA)
        for rule in RULES:
            self.done("sweep", self.file, rule, "--seeds", "1..2", "--chunks", "2", "--placement",
                      rule, "-q", "-j", "2")
            rows = self.json("sweep", self.file, rule, "--json")["specials"]
            for seed in range(1, 3):
                name = "%s %d" % (rule, seed)
                self.done("new", self.file, name, "--seed", seed, "--placement", rule)
                self.done("generate", self.file, "--world", name, "--rect", "-1,-1,-1,-1",
                          "--chunk", "0,0", "-q")
            found = self.json("query", self.file, "--format", "json",
                              "SELECT special, sum(placed) AS placed, count(*) AS overmaps FROM "
                              "v_special_count WHERE placed > 0 AND world LIKE '%s %%' "
                              "GROUP BY special" % rule)
            placed = {f["special"]: f for f in found}
            self.assertGreater(len(placed), 50)
            for row in rows:
                own = placed.get(row["special"], {"placed": 0, "overmaps": 0})
                key = "overmaps" if row["rate"] == "share" else "placed"
                self.assertAlmostEqual(row["estimate"] * 4, own[key], 6, row["special"])


if __name__ == "__main__":
    unittest.main()
