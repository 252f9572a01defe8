"""regenerate and what status says of stale chunks: other content, imported chunks, kills."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

from support import COMMAND, SOURCE, CommandTest

sys.path.insert(0, os.path.join(SOURCE, "tests", "support"))
from reseal import reseal  # noqa: E402 pylint: disable=wrong-import-position

PACK = [
    {"type": "overmap_terrain", "id": "test_hut", "name": "hut", "sym": "h", "color": "red"},
    {"type": "overmap_special", "id": "test_huts", "locations": ["land"],
     "overmaps": [{"point": [0, 0, 0], "overmap": "test_hut_north"}], "occurrences": [5, 9]},
    {"type": "region_overlay", "id": "wet", "regions": ["all"],
     "overmap_lake_settings": {"noise_threshold_lake": 0.2}},
]
KILL_SIDE = 6 if "PORTOLAN_QUICK" in os.environ else 10


class Stale(CommandTest):
    def other_content(self):
        pack = self.write("pack.json", json.dumps(PACK))
        self.done("import", self.file, "--builtin", pack)

    def world(self, side=2, *options):
        self.done("import", self.file, "--builtin")
        self.done("new", self.file, "w", "--seed", 7, *options)
        self.done("generate", self.file, "--rect", "0,0,%d,%d" % (side - 1, side - 1), "-q",
                  "--jobs", "2")

    def ask(self, sql):
        db = sqlite3.connect(self.file)
        rows = db.execute(sql).fetchall()
        db.close()
        return rows

    def status(self, *options):
        return self.json("status", self.file, "--json", *options)

    def test_status(self):
        self.world()
        self.done("new", self.file, "other", "--seed", 8)
        whole = self.status("--stale")
        self.assertEqual(whole["stale"], [])
        self.assertEqual(whole["set_aside"], [])
        self.assertEqual([w["content"] for w in whole["worlds"]], ["current"] * 2)
        digest = whole["content"][0]["digest"]
        self.other_content()
        report = self.status("--stale")
        self.assertNotEqual(report["content"][0]["digest"], digest)
        self.assertEqual(report["bytes"], os.path.getsize(self.file))
        self.assertEqual([(c["world"], c["chunks"], c["stale"]) for c in report["chunks"]],
                         [("other", 0, 0), ("w", 4, 4)])
        self.assertEqual([(s["x"], s["y"]) for s in report["stale"]],
                         [(0, 0), (1, 0), (0, 1), (1, 1)])
        self.assertEqual({(s["world"], s["content"], s["origin"]) for s in report["stale"]},
                         {("w", digest[:12], "generated")})
        self.assertEqual([r["command"] for r in report["runs"]], ["generate"])
        self.assertNotIn("stale", self.status())
        self.assertEqual(self.status("--world", "other", "--stale")["stale"], [])
        self.failed(1, "has no world 'x'", "status", self.file, "--world", "x", "--json")
        text = self.done("status", self.file, "--stale")
        self.assertRegex(text, r"(?m)^w +1 +0 +%s +\d+ +generated$" % digest[:12])
        self.assertNotIn("Set aside", text)

    def test_status_of_little(self):
        self.done("import", self.file, "--builtin")
        self.assertIn("worlds: none yet", self.done("status", self.file))
        self.assertEqual(self.status()["worlds"], [])

    def test_set_aside(self):
        self.world(1)
        db = sqlite3.connect(self.file)
        for world, x in (("w", 3), ("other", 4), ("", None)):
            db.execute("INSERT INTO set_aside (found, source_table, source_key, world, x, y, "
                       "reason, data, checksum) VALUES ('2026-01-01T00:00:00Z', 'chunk', '9', "
                       "?, ?, ?, 'imported', x'00', 0)", (world, x, x))
        reseal(db)
        db.commit()
        db.close()
        self.done("new", self.file, "other", "--seed", 8)
        self.assertRegex(self.done("status", self.file),
                         r"(?s)Set aside.*\n +1 +2026-01-01T00:00:00Z +chunk +9 +w +3 +3 +imported")
        self.assertEqual([a["world"] for a in self.status()["set_aside"]], ["w", "other", ""])
        self.assertEqual([a["world"] for a in self.status("--world", "w")["set_aside"]],
                         ["w", ""])

    def test_other_content(self):
        self.world()
        before = self.done("digest", self.file)
        edges = self.ask("SELECT * FROM edge ORDER BY id")
        self.other_content()
        self.failed(1, "other content", "generate", self.file, "--chunk", "2,0")
        out = self.done("regenerate", self.file, "--stale", "--chunk", "1,1")
        self.assertRegex(out, r"^1 chunks made anew .* 1 of them differ from before\n")
        self.assertIn("3 chunks of world 'w' are stale still", out)
        out = self.done("regenerate", self.file, "--stale", "--jobs", "2")
        self.assertRegex(out, "^3 chunks made anew")
        self.assertIn("goes on with the present content", out)
        self.assertEqual(self.status()["worlds"][0]["content"], "current")
        self.assertEqual(self.ask("SELECT * FROM edge ORDER BY id"), edges)
        self.assertNotEqual(self.done("digest", self.file), before)
        self.done("generate", self.file, "--chunk", "2,0")
        self.done("verify", self.file)
        self.done("verify", self.file, "--seams")
        self.assertEqual(self.done("regenerate", self.file, "--stale", "-q"), "")

    def test_which(self):
        self.world()
        before = self.done("digest", self.file)
        self.failed(2, "say which chunks", "regenerate", self.file)
        self.assertRegex(self.done("regenerate", self.file, "--rect", "0,0,1,0", "--chunk",
                                   "0,0"), "^2 chunks made anew .* 0 of them differ")
        self.assertRegex(self.done("regenerate", self.file, "--radius", "3", "--stale"),
                         "^0 chunks")
        self.assertRegex(self.done("regenerate", self.file, "--list", "-"), "^0 chunks")
        self.failed(0, "chunk 9,9 stays as it is: it is not saved", "regenerate", self.file,
                    "--chunk", "9,9")
        self.assertEqual(self.done("digest", self.file), before)

    def test_kinds_that_are_gone(self):
        """Railroads cross the saved edges, and the new content has none: stubs with events."""
        self.world(3, "--railroads")
        kinds = "SELECT count(*) FROM crossing k JOIN edge e ON e.id = k.edge_id " \
                "WHERE k.kind = 'local_railroad'"
        crossings = self.ask(kinds)
        # Each inner edge is met by two chunks.
        met = self.ask(kinds + " AND ((e.side = 'E' AND e.x BETWEEN 0 AND 1) OR "
                               "(e.side = 'S' AND e.y BETWEEN 0 AND 1))")[0][0] + crossings[0][0]
        self.assertGreater(met, 0)
        data = self.path("data")
        shutil.copytree(os.path.join(SOURCE, "data"), data)
        name = os.path.join(data, "connections.json")
        with open(name, encoding="utf-8") as file:
            connections = json.load(file)
        with open(name, "w", encoding="utf-8") as file:
            json.dump([c for c in connections if c["id"] != "local_railroad"], file)
        self.done("import", self.file, data, "--lenient", "--no-warnings")
        self.done("regenerate", self.file, "--rect", "0,0,0,2")
        self.done("verify", self.file)
        self.done("regenerate", self.file, "--stale")
        self.assertEqual(self.ask(kinds), crossings)
        self.assertEqual(self.ask("SELECT count(*) FROM event WHERE kind = 'unknown_crossing'"),
                         [(met,)])
        self.done("verify", self.file)
        self.done("verify", self.file, "--seams")

    def test_imported_chunks_stay(self):
        self.world(1)
        self.done("export", self.file, self.path("save"), "--format", "dda-save", "-q")
        self.done("new", self.file, "mixed", "--seed", 9)
        self.done("import-save", self.file, self.path("save"), "--world", "mixed", "-q")
        self.done("generate", self.file, "--world", "mixed", "--rect", "-1,0,1,0", "-q")
        rows = "SELECT * FROM chunk WHERE origin = 'imported'"
        imported = self.ask(rows)
        self.other_content()
        report = self.status("--stale", "--world", "mixed")
        self.assertEqual([(s["x"], s["y"]) for s in report["stale"]], [(-1, 0), (1, 0)])
        result = self.failed(0, "chunk 0,0 stays as it is: it was imported", "regenerate",
                             self.file, "--world", "mixed", "--stale")
        self.assertRegex(result.stdout, r"^2 chunks made anew")
        self.assertEqual(self.ask(rows), imported)
        self.assertEqual(self.status("--world", "mixed")["worlds"][0]["content"], "current")
        self.done("verify", self.file)
        self.done("verify", self.file, "--seams", "--world", "mixed")

    def local_maps(self):
        """What `status` says of the worlds named d."""
        return {w["world"]: w["derive"] for w in self.status("--world", "d")["worlds"]}

    def test_derived_maps_stay(self):
        """What would change maps that are not stored is refused until they are kept."""
        self.world(1)
        place = ["--world", "d", "--omt", "80,80,83,83"]
        made = self.done("new", self.file, "d", "--seed", 7, "--derive")
        self.assertIn("It derives its local maps", " ".join(made.split()))
        self.assertEqual(self.local_maps(), {"d": "yes"})
        self.done("generate", self.file, "--world", "d", "--chunk", "0,0", "-q")
        maps = self.done("digest", self.file, "--local", *place)
        self.assertRegex(maps, "16 of them not stored")
        self.done("local", self.file, "81,81", "--world", "d")
        self.done("local", self.file, "--world", "d", "--rect", "80,80,83,83", "--plain")
        self.assertEqual(self.ask("SELECT count(*) FROM omt_map"), [(0,)])
        self.assertEqual(self.ask("SELECT region, derive FROM world WHERE name = 'd'"),
                         [("default", 1)])
        self.done("verify", self.file)
        pack = self.write("pack.json", json.dumps(PACK))
        self.failed(1, "world 'd' derives", "import", self.file, "--builtin", pack)
        self.failed(1, "world 'd' derives", "regenerate", self.file, "--world", "d",
                    "--stale")
        self.failed(1, "with --keep", "generate", self.file, "--local", *place)
        self.failed(2, "say --local", "generate", self.file, "--keep", "--chunk", "0,0")
        kept = self.done("generate", self.file, "--local", "--keep", *place)
        self.assertRegex(kept, "16 local maps made and stored")
        self.assertIn("stores each map that it makes from now on", kept)
        self.assertEqual(self.local_maps(), {"d": "no"})
        self.other_content()
        self.assertEqual(self.done("digest", self.file, "--local", "--world", "d").split()[0],
                         maps.split()[0])
        self.assertEqual(self.ask("SELECT region FROM world WHERE name = 'd'"), [("default",)])
        self.done("verify", self.file)

    def start(self):
        return subprocess.Popen([COMMAND, "regenerate", self.file, "--stale", "--jobs", "2"],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def left(self):
        return self.status()["chunks"][0]["stale"]

    def test_killed_and_stopped(self):
        self.world(KILL_SIDE)
        self.other_content()
        whole = self.path("whole.db")
        shutil.copy(self.file, whole)
        self.done("regenerate", whole, "--stale", "--jobs", "2")
        rng, left = random.Random(5), [KILL_SIDE ** 2]
        for stop in (signal.SIGKILL, signal.SIGKILL, signal.SIGINT):
            running = self.start()
            size = os.stat(self.file).st_mtime_ns
            deadline = time.monotonic() + 60
            # A journal begins, or the file changes: in or after the commit of a batch.
            while (os.stat(self.file).st_mtime_ns == size and running.poll() is None and
                   time.monotonic() < deadline):
                time.sleep(0.001)
            time.sleep(rng.uniform(0, 0.02))
            running.send_signal(stop)
            _, errors = running.communicate()
            if stop == signal.SIGINT and running.returncode == 1:
                self.assertIn("The same command again goes on from there", errors)
            self.done("verify", self.file)
            left.append(self.left())
        self.assertEqual(left, sorted(left, reverse=True))
        self.done("regenerate", self.file, "--stale")
        self.assertEqual(self.left(), 0)
        self.assertEqual(self.done("digest", self.file), self.done("digest", whole))
        self.assertEqual(self.status()["worlds"][0]["content"], "current")


if __name__ == "__main__":
    unittest.main()
