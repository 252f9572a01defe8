"""serve: kinds of specials and events, markers that are gathered, chunks that are stale or foreign, as SQL has them."""

import json
import os
import sys
import unittest
from collections import Counter
from urllib.parse import urlencode

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from support import CommandTest  # noqa: E402
from test_serve import EVIL, Server  # noqa: E402

PACK = [{"type": "overmap_terrain", "id": "test_hut", "name": "hut", "sym": "h", "color": "red"},
        {"type": "overmap_special", "id": "test_huts", "locations": ["land"],
         "overmaps": [{"point": [0, 0, 0], "overmap": "test_hut_north"}], "occurrences": [5, 9]}]


def make_stale(maker):
    """Worlds 'home', of whose chunks the first two are stale, and 'saved', of a save."""
    maker.make_world("home", 11)
    maker.done("generate", maker.file, "--rect", "-1,0,0,0", "--jobs", 2, "-q")
    maker.done("export", maker.file, maker.path("save"), "--format", "dda-save", "-q")
    maker.done("import", maker.file, "--builtin", maker.write("pack.json", json.dumps(PACK)))
    maker.done("generate", maker.file, "--chunk", "1,0", "--accept-content", "-q")
    maker.done("generate", maker.file, "--chunk", "2,1", "--stop-after", "lakes", "-q", "--accept-content")
    maker.done("new", maker.file, "saved", "--seed", 11)
    maker.done("import-save", maker.file, maker.path("save"), "--world", "saved")
    maker.done("new", maker.file, EVIL, "--seed", 3)


class StaleWorlds:
    """For a CommandTest: a file of those worlds, cls.made."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.maker = CommandTest()
        cls.maker.setUp()
        cls.addClassCleanup(cls.maker.doCleanups)
        cls.made = cls.maker.file
        make_stale(cls.maker)

    def query(self, sql):
        return self.json("query", self.made, sql, "--format", "json", "--limit", 100000)


class Layers(StaleWorlds, CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = Server(cls.made, "-q")
        cls.addClassCleanup(cls.server.__exit__)

    def test_kinds(self):
        found = self.server.data("kinds", world="home")
        self.assertEqual({s[0]: s[2] for s in found["specials"]},
                         {r["special"]: r["n"] for r in self.query(
                             "SELECT special, count(*) AS n FROM v_special WHERE world = 'home' GROUP BY 1")})
        groups = {s[0]: found["groups"][s[1]] for s in found["specials"]}
        self.assertEqual(groups.pop("test_huts"), "of another content")  # than the world's own
        flags = {name: {r["special"] for r in self.query("SELECT special FROM special_flag WHERE flag IN (%s)" % names)}
                 for name, names in (("one in the world", "'GLOBALLY_UNIQUE'"), ("one in an overmap", "'UNIQUE', 'OVERMAP_UNIQUE'"),
                                     ("of lakes", "'LAKE'"))}
        for special, group in groups.items():
            for name, own in flags.items():
                if name == "of lakes":
                    self.assertTrue(group != name or special in own, special)
                elif group != "one in the world":
                    self.assertEqual(group == name, special in own, (special, group))
        self.assertGreater(len(set(groups.values())), 3)
        self.assertEqual([tuple(e) for e in found["events"]],
                         [(r["kind"], r["n"], r["placed"]) for r in self.query(
                             "SELECT kind, count(*) AS n, count(x) AS placed FROM v_event WHERE world = 'home' GROUP BY 1 ORDER BY 1")])
        self.assertEqual(self.server.data("kinds", world=EVIL), {"groups": found["groups"], "specials": [], "events": []})

    def test_connections(self):
        palette = self.server.data("palette", world="home")
        types = [t[0] for t in palette["types"]]
        ways = {name: {types[t] for t in own} for name, own in palette["connections"]}
        self.assertEqual(ways["sewer_tunnel"], {"sewer"})
        self.assertLessEqual({"road", "bridge"}, ways["local_road"])
        self.assertNotIn("railroad", ways["local_road"])

    def gathered(self, what, n, z, within=(-1, 0, 2, 1), **values):
        west, north, east, south = within
        found = self.server.data("gathered", world="home", what=what, n=n, z=z, west=west, north=north, east=east, south=south, **values)
        flat, rows = found["markers"], []
        for i in range(0, len(flat), 6):
            cx, cy, kind, count, x, y = flat[i:i + 6]
            rows.append((cx, cy, found["kinds"][kind], count, x, y))
        return rows

    def expect(self, rows, n, kind):
        """Counts and mean places of rows with chunk_x, chunk_y, x and y."""
        cells = {}
        for r in rows:
            cells.setdefault((r["chunk_x"] // n, r["chunk_y"] // n, kind(r)), []).append((r["x"], r["y"]))
        return sorted((*cell, len(at), sum(x for x, _ in at) // len(at), sum(y for _, y in at) // len(at)) for cell, at in cells.items())

    def test_gathered(self):
        kinds = self.server.data("kinds", world="home")
        group = {s[0]: kinds["groups"][s[1]] for s in kinds["specials"]}
        specials = self.query("SELECT * FROM v_special WHERE world = 'home' AND z = 0")
        events = self.query("SELECT * FROM v_event WHERE world = 'home' AND x IS NOT NULL")
        self.assertGreater(len(events), 3)
        self.assertGreater(len(specials), 100)
        for n in (1, 2, 16):
            self.assertEqual(sorted(self.gathered("specials", n, 0)), self.expect(specials, n, lambda r: group[r["special"]]), n)
            for z in (0, -2):
                self.assertEqual(sorted(self.gathered("events", n, z)),
                                 self.expect([e for e in events if e["z"] == z], n, lambda r: r["kind"]), (n, z))
        some = Counter(r["special"] for r in specials).most_common(2)
        left = [r for r in specials if r["special"] not in dict(some)]
        self.assertEqual(sorted(self.gathered("specials", 1, 0, without="\n".join(dict(some)))),
                         self.expect(left, 1, lambda r: group[r["special"]]))
        first = some[0][0]
        self.assertEqual(sum(r[3] for r in self.gathered("specials", 1, 0, without=first[:-1] + "\n" + first + "x")), len(specials))
        kind = events[0]["kind"]
        self.assertNotIn(kind, {r[2] for r in self.gathered("events", 1, 0, without=kind)})
        self.assertEqual(sorted(self.gathered("specials", 1, 0, within=(0, 0, 0, 0))),
                         self.expect([r for r in specials if (r["chunk_x"], r["chunk_y"]) == (0, 0)], 1, lambda r: group[r["special"]]))

    def test_what_is_refused(self):
        good = {"world": "home", "what": "events", "n": 1, "z": 0, "west": 0, "north": 0, "east": 0, "south": 0}
        self.assertEqual(self.server.ask("/data/gathered?" + urlencode(good))[0], 200)
        for name, value in (("what", "cities"), ("n", 0), ("n", 1025), ("east", 64), ("south", -1), ("z", 11), ("west", "x"),
                            ("east", 10 ** 12)):
            self.assertEqual(self.server.ask("/data/gathered?" + urlencode({**good, name: value}))[0], 400, name)
        for name in good:
            self.assertIn(self.server.ask("/data/gathered?" + urlencode({k: v for k, v in good.items() if k != name}))[0], (400, 404), name)
        for path in ("kinds", "states", "gathered"):
            self.assertEqual(self.server.ask("/data/%s?%s" % (path, urlencode({**good, "world": "none"})))[0], 404, path)

    def test_states(self):
        """What `status --stale` lists is stale here, too; what is of other content is told apart."""
        stale = {(r["x"], r["y"]) for r in self.json("status", self.made, "--stale", "--json")["stale"] if r["world"] == "home"}
        self.assertEqual(stale, {(-1, 0), (0, 0)})
        found = self.server.data("states", world="home")
        self.assertEqual(found, {"other_content": {"rows": [[0, -1, 0]], "count": 2}, "older": {"rows": [], "count": 0},
                                 "imported": {"rows": [], "count": 0}, "unfinished": {"rows": [[1, 2, 2]], "count": 1}})
        found = self.server.data("states", world="saved")
        self.assertEqual(found["imported"], {"rows": [[0, -1, 0]], "count": 2})
        self.assertEqual([found[k]["count"] for k in ("other_content", "older", "unfinished")], [0, 0, 0])
        head = self.server.ask("/data/states?world=saved")[1]
        self.assertEqual(self.server.ask("/data/states?world=saved", If_None_Match=head["etag"])[0], 304)


class Tides(CommandTest):
    """Local maps of the sea at a turn of the game are those that `local --tide` shows."""

    def test_all(self):
        make_sea(self)
        told = {step: {(x, 417): self.json("local", self.file, "%d,417" % x, "--tide", step, "--json")["terrain"] for x in (681, 684)}
                for step in (0, 28, 78)}
        with Server(self.file, "-q") as server:
            tide = server.data("palette", world="home")["tide"]
            self.assertEqual((len(tide["heights"]), min(tide["heights"]), max(tide["heights"])), (100, -18, 25))
            self.assertEqual([tide["heights"][step] for step in told], [0, 25, -18])
            for step, maps in told.items():
                for turn in (step * tide["turns"], (step + 1) * tide["turns"] - 1, (step + 300) * tide["turns"]):
                    block = {(m["x"], m["y"]): m for m in server.data("locals", world="home", x=680, y=416, z=0, n=8, turn=turn)["maps"]}
                    self.assertEqual(len(block), 64)
                    for at, terrain in maps.items():
                        one = server.data("local", world="home", x=at[0], y=at[1], z=0, turn=turn)
                        for found in (one, block[at]):
                            self.assertEqual([found["kinds"][k][0] for k in found["tiles"]], sum(terrain, []), (step, at))
            self.assertNotEqual(told[28], told[78])
            still = server.data("local", world="home", x=681, y=417, z=0)
            self.assertEqual([still["kinds"][k][0] for k in still["tiles"]],
                             sum(self.json("local", self.file, "681,417", "--json")["terrain"], []))
            self.assertIsNone(server.data("local", world="home", x=600, y=417, z=0, turn=5))
            for turn in (-1, "x", 2 ** 53, ""):
                for path in ("local", "locals"):
                    self.assertEqual(server.ask("/data/%s?world=home&x=0&y=0&z=0&n=8&turn=%s" % (path, turn))[0], 400, turn)
            self.done("new", self.file, "inland", "--seed", 7)
            self.done("generate", self.file, "--world", "inland", "--local", "--omt", "80,80,80,80", "-q")
            self.assertIsNone(server.data("palette", world="inland")["tide"])
            self.assertEqual(server.data("local", world="inland", x=80, y=80, z=0, turn=5000),
                             server.data("local", world="inland", x=80, y=80, z=0))


def make_sea(maker):
    """World 'home' by the sea, with the local maps of some of its islands."""
    maker.import_builtin()
    maker.done("new", maker.file, "home", "--seed", 7, "--region", "coast")
    maker.done("generate", maker.file, "--local", "--omt", "680,416,687,423", "-q")


if __name__ == "__main__":
    unittest.main()
