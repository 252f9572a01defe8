"""verify --seams: a world that is whole, one that is unfinished, one that lost its roads; and local;
local maps of our own pack."""

import csv
import json
import os
import re
import sqlite3
import subprocess
import unittest

from support import COMMAND, DDA, SOURCE, CommandTest

SUMMARY = r"seams of (\d+) chunks? \((\d+) unfinished\), (\d+) rivers at borders, " \
          r"(\d+) river crossings, \d+ of highways, 0 straight shores: (\d+) problems?"


class Seams(CommandTest):
    def summary(self, text):
        found = re.search(SUMMARY, text)
        self.assertIsNotNone(found, text)
        return tuple(int(number) for number in found.groups())

    def table(self, text):
        """The rows of the table of counts, by kind."""
        lines = text[re.search(SUMMARY, text).end() + 1:].splitlines()
        names = lines[0].split()
        self.assertEqual((names[0], names[-1]), ("kind", "missing"))
        rows = {}
        for line in lines[2:]:
            numbers = line.split()[-14:]
            rows[line.split("  ")[0].strip()] = dict(zip(names[1:], map(int, numbers)))
        return rows

    def test_a_whole_world(self):
        self.make_world()
        self.done("generate", self.file, "--rect", "-1,0,1,1", "--quiet")
        text = self.done("verify", self.file, "--seams")
        self.assertEqual(self.summary(text)[:2] + self.summary(text)[4:], (6, 0, 0))
        rows = self.table(text)
        self.assertIn("local_road", rows)
        self.assertGreater(rows["local_road"]["line"], 1000)
        self.assertGreater(rows["local_road"]["crossings"], 0)
        for kind, row in rows.items():
            parts = sum(row[name] for name in row
                        if name not in ("arms", "ends", "loose", "crossings", "missing"))
            self.assertEqual((kind, row["arms"]), (kind, parts))
            self.assertEqual((row["dead"], row["loose"], row["missing"], row["foreign"]),
                             (0, 0, 0, 0))
        self.assertEqual(self.done("verify", self.file, "--seams", "--quiet"), "")
        # A neighbour makes arms that only the edge answered into lines, and no more of them.
        self.done("generate", self.file, "--rect", "-2,-1,2,2", "--quiet")
        more = self.table(self.done("verify", self.file, "--seams"))
        self.assertGreater(more["local_road"]["arms"], rows["local_road"]["arms"])

    def test_unfinished_chunks_are_left_out(self):
        self.make_world()
        self.done("generate", self.file, "--chunk", "0,0", "--quiet")
        self.done("generate", self.file, "--chunk", "1,0", "--stop-after", "rivers", "--quiet")
        self.assertEqual(self.summary(self.done("verify", self.file, "--seams"))[:2], (1, 1))

    def test_shores(self):
        """Where the sea begins, at x = 180, noise has a large bay of this seed on both sides."""
        self.import_builtin()
        self.done("new", self.file, "w", "--seed", 6, "--region", "coast")
        self.done("generate", self.file, "--rect", "0,-1,1,0", "--quiet")
        told = self.json("verify", self.file, "--seams", "--json")["seams_checked"]
        self.assertEqual((told["chunks"], told["straight_shores"], told["problems"]), (4, 0, 0))
        sea = self.json("query", self.file, "SELECT count(*) AS n FROM omt WHERE z = 0 AND oter "
                        "LIKE 'ocean%' AND x BETWEEN 180 AND 300", "--format", "json")
        self.assertGreater(sea[0]["n"], 2000)

    def test_which_world(self):
        self.make_world("a", 1)
        self.done("new", self.file, "b", "--seed", 2)
        self.done("generate", self.file, "--world", "b", "--chunk", "4,4", "--quiet")
        self.done("verify", self.file)
        self.failed(1, "Worlds: ", "verify", self.file, "--seams")
        text = self.done("verify", self.file, "--seams", "--world", "b")
        self.assertEqual(self.summary(text)[0], 1)
        text = self.done("verify", self.file, "--seams", "--world", "a")
        self.assertEqual(self.summary(text), (0, 0, 0, 0, 0))

    def test_usage(self):
        self.failed(2, "goes with --seams", "verify", self.file, "--world", "w")
        self.failed(2, "goes with --seams", "verify", self.file, "--problems", "3")
        self.failed(2, "--problems", "verify", self.file, "--seams", "--problems", "-1")

    def test_connections_that_share_terrain(self):
        """As in today's DDA, whose highways end in ordinary roads: no arm counts twice, none under
        the name of a connection that drew nothing."""
        self.make_world()
        self.done("generate", self.file, "--rect", "0,0,1,1", "--quiet")
        alone = self.table(self.done("verify", self.file, "--seams"))
        os.mkdir(self.path("mod"))
        self.write("mod/highway.json", json.dumps([
            {"type": "overmap_connection", "id": "highway", "default_terrain": "road",
             "subtypes": [{"terrain": "road", "locations": ["field"]}]}]))
        self.done("import", self.file, "--builtin", self.path("mod"))
        self.done("new", self.file, "again", "--seed", 7)
        self.done("generate", self.file, "--world", "again", "--rect", "0,0,1,1", "--quiet")
        rows = self.table(self.done("verify", self.file, "--seams", "--world", "again"))
        self.assertEqual(set(rows), set(alone) - {"local_road"} | {"highway + local_road"})
        self.assertEqual(rows["highway + local_road"], alone["local_road"])

    def test_seams_are_listed(self):
        """Read by content in which roads are of another kind no crossing of an edge is answered."""
        self.make_world()
        self.done("generate", self.file, "--rect", "0,0,3,3", "--quiet")
        os.mkdir(self.path("mod"))
        self.write("mod/lane.json", json.dumps([
            {"type": "overmap_terrain", "id": "test_lane", "name": "lane", "sym": "r",
             "color": "red", "flags": ["LINEAR"]},
            {"type": "overmap_connection", "id": "local_road", "default_terrain": "test_lane",
             "subtypes": [{"terrain": "test_lane", "locations": ["field"]}]}]))
        self.done("import", self.file, "--builtin", self.path("mod"))
        self.done("verify", self.file, "--seams")  # by the world's own content
        db = sqlite3.connect(self.file)
        db.execute("DELETE FROM content_past")  # as versions before schema 7 left it
        db.commit()
        db.close()
        result = self.failed(1, "^$", "verify", self.file, "--seams", "--problems", "2")
        listed = re.findall(r"(?m)^world 'w', chunk \d,\d: seam: ", result.stdout)
        problems = self.summary(result.stdout)[4]
        self.assertEqual(len(listed), 2)
        self.assertGreater(problems, 10)
        self.assertIn("... and %d more\n" % (problems - 2), result.stdout)
        counts = self.table(result.stdout)
        self.assertEqual(sum(row["dead"] + row["loose"] + row["missing"]
                             for row in counts.values()), problems)
        quiet = self.failed(1, "^$", "verify", self.file, "--seams", "--quiet", "--problems",
                            "100000").stdout.splitlines()
        self.assertEqual(len(quiet), problems)
        seams = [line for line in quiet if re.fullmatch(
            r"world 'w', chunk \d,\d: seam: local_road at .*, (north|east|south|west): the edge's "
            r"crossing has no arm that leads out", line)]
        self.assertEqual(len(seams), counts["local_road"]["missing"])
        self.assertGreater(len(seams), 10)


HOUSE = [
    {"type": "mapgen", "om_terrain": "field", "object": {
        "fill_ter": "t_grass", "rotation": [0, 3],
        "set": [{"square": "terrain", "id": "t_dirt", "x": [0, 5], "y": 2, "x2": 9, "y2": 9}],
        "place_items": [{"item": "forest", "x": [0, 23], "y": [0, 23], "chance": 50}],
        "place_signs": [{"signage": "Keep \u001b[31moff", "x": 3, "y": 3}]}},
    {"type": "mapgen", "update_mapgen_id": "dig", "object": {
        "set": [{"square": "terrain", "id": "t_pit", "x": 0, "y": 20, "x2": 23, "y2": 23}]}}]


class Local(CommandTest):
    """local: the map of one OMT, as text, JSON and rows; the same each time."""

    def setUp(self):
        super().setUp()
        self.mod = os.path.join(self.folder, "mod")
        os.mkdir(self.mod)
        with open(os.path.join(self.mod, "m.json"), "w") as out:
            json.dump(HOUSE, out)
        self.done("import", self.file, "--builtin", self.mod)
        self.done("new", self.file, "w", "--seed", "5")
        self.done("generate", self.file, "--chunk", "0,0", "--quiet")

    def places(self, terrain, count):
        rows = self.done("query", self.file, "--format", "csv",
                         "SELECT x, y FROM omt WHERE chunk_x = 0 AND chunk_y = 0 AND z = 0 AND "
                         f"oter = '{terrain}' AND x BETWEEN 2 AND 170 AND y BETWEEN 2 AND 170 "
                         f"LIMIT {count}").splitlines()[1:]
        return rows

    def test_maps(self):
        different = set()
        for place in self.places("field", 8):
            text = self.done("local", self.file, place, "--json")
            self.assertEqual(text, self.done("local", self.file, place, "--json"))
            made = json.loads(text)
            self.assertEqual((made["oter"], made["fallback"]), ("field", False))
            self.assertEqual([len(row) for row in made["terrain"]], [24] * 24)
            cells = sum(made["terrain"], [])
            self.assertEqual(set(cells), {"t_grass", "t_dirt"})
            self.assertLessEqual(5 * 8, cells.count("t_dirt"))
            kinds = [e["kind"] for e in made["entities"]]
            self.assertEqual(kinds.count("sign"), 1)
            different.add(json.dumps(made["terrain"]) + str(kinds))
            picture = self.done("local", self.file, place).splitlines()
            self.assertIn(f"field at {place},0", picture[0])
            self.assertEqual([len(row) for row in picture[1:25]], [24] * 24)
            rows = self.done("local", self.file, place, "--entities", "--format", "csv")
            self.assertEqual(len(rows.splitlines()), len(made["entities"]) + 1)
            self.assertNotIn("\x1b", self.done("local", self.file, place, "--entities"))
        self.assertGreater(len(different), 4)

    def test_update(self):
        """--update changes the stored map, once for each call, and shows it."""
        before = json.loads(self.done("local", self.file, "90,90,10", "--json"))
        made = json.loads(self.done("local", self.file, "90,90,10", "--update", "dig", "--json"))
        self.assertEqual((made["revision"], made["edited"]), (2, True))
        self.assertEqual(made["terrain"][:20], before["terrain"][:20])
        self.assertEqual(made["terrain"][20:], [["t_pit"] * 24] * 4)
        self.assertEqual(made, json.loads(self.done("local", self.file, "90,90,10", "--json")))
        self.failed(1, "no update 'dug'", "local", self.file, "90,90", "--update", "dug")
        self.failed(2, "for one place", "local", self.file, "--rect", "0,0,1,1", "--update", "dig")

    def test_without_mapgen(self):
        """Air has no entry in the content: the ground's own rule makes it."""
        made = json.loads(self.done("local", self.file, "90,90,10", "--json"))
        self.assertFalse(made["fallback"])
        self.assertEqual(set(sum(made["terrain"], [])), {"t_open_air"})

    def test_areas(self):
        """generate --local and digest --local: processes and threads at once, one digest."""
        area = ["--local", "--omt=-5,-4,22,19", "--levels=-1,1"]
        count = 28 * 24 * 3
        done = self.done("generate", self.file, *area, "--times")
        self.assertRegex(done, f"^{count} local maps made and stored in .*\n3 chunks were generated")
        self.assertRegex(done, r"\(encode\) +[0-9.]+ +[0-9.]+")
        digest = self.done("digest", self.file, "--local")
        self.assertIn(f"{count} local maps, 0 of them not stored", " ".join(digest.split()))
        self.assertEqual(digest, self.done("digest", self.file, *area))
        self.assertRegex(self.done("generate", self.file, *area), f"^0 local maps .*{count} were stored already")
        for wrong in (["--omt", "0,0,1,1"], ["--levels", "1"], ["--local"], ["--local", "--omt", "1,0,0,0"],
                      ["--local", "--omt", "0,0,1,1", "--levels", "2,1"],
                      ["--local", "--omt", "0,0,1,1", "--levels", "11"],
                      ["--local", "--omt", "0,0,1,1", "--stop-after", "lakes"]):
            self.failed(2, "--local|--omt|--levels|say which", "generate", self.file, *wrong)
        self.failed(2, "goes with --omt", "digest", self.file, "--local", "--levels", "1")
        self.done("new", self.file, "two", "--seed", "5")
        two = [COMMAND, "generate", self.file, "--world", "two", "--shared", "--quiet", "--local"]
        parts = (["--omt=-5,-4,15,19", "--levels=-1,0", "--jobs", "2"],
                 ["--omt=3,-4,22,19", "--levels", "0,1"], ["--omt=-5,-4,9,19", "--levels", "1"],
                 ["--omt", "10,-4,22,19", "--levels=-1"])
        running = [subprocess.Popen(two + part) for part in parts]
        self.assertEqual([process.wait() for process in running], [0] * len(parts))
        self.assertEqual(self.done("digest", self.file, "--world", "two", "--local"), digest)
        report = json.loads(self.done("digest", self.file, "--world", "two", *area, "--json"))
        self.assertEqual((report["maps"], report["made"]), (count, 0))
        self.assertEqual(report["digest"], digest.split()[0])
        self.done("new", self.file, "three", "--seed", "5")
        self.failed(1, "chunk -1,-1 is not generated", "digest", self.file, "--world", "three", *area)
        self.assertRegex(self.done("generate", self.file, "--world", "three", "--local", "--chunk", "0,0", "--levels=-10"),
                         "^32400 local maps made")

    def test_mistakes(self):
        for place in ("1", "1,2,11", "a,b", "99999999999,0"):
            self.failed(2, "X,Y|lies in", "local", self.file, place)
        self.failed(2, "table or JSON", "local", self.file, "1,2", "--format", "csv")
        self.failed(2, "X,Y or X,Y,Z, or --rect", "local", self.file)
        self.failed(2, "X,Y or X,Y,Z, or --rect", "local", self.file, "1,2", "--rect", "1,2,3,4")
        self.failed(2, "is that of --rect", "local", self.file, "1,2", "--level", "1")
        for wrong in ("--json", "--entities"):
            self.failed(2, "for one place", "local", self.file, "--rect", "1,2,3,4", wrong)
            self.failed(2, "--png, or", "local", self.file, "1,2", "--png", "x.png", wrong)
        self.failed(2, "name it 'x.png'", "local", self.file, "1,2", "--png", "x.jpg")


class OurOwn(CommandTest):
    """Our own pack: each special and building that stands in a chunk is opened, all levels."""

    LEVELS = (-3, 4)

    def open_all(self):
        rows = csv.DictReader(self.done("query", self.file, "--format", "csv",
                                        "SELECT id, min(x || ',' || y) AS place FROM placement "
                                        "GROUP BY id ORDER BY id").splitlines())
        boxes = []
        for row in rows:
            x, y = map(int, row["place"].split(","))
            boxes += ["--omt=%d,%d,%d,%d" % (x - 3, y - 3, x + 4, y + 4)]
        self.assertGreater(len(boxes), 60)
        self.done("generate", self.file, "--local", *boxes, "--levels=%d,%d" % self.LEVELS, "--quiet")

    def test_every_place_has_a_map_and_stairs_meet(self):
        self.done("import", self.file, "--builtin")
        self.done("new", self.file, "home", "--seed", "7")
        self.done("generate", self.file, "--chunk", "0,0", "--quiet")
        self.open_all()
        self.assertEqual(self.done("query", self.file, "--format", "csv", "--no-header",
                                   "SELECT oter FROM local_map WHERE fallback LIMIT 9"), "")
        rows = self.done(
            "query", self.file, "--format", "csv", "--no-header",
            "SELECT m.oter, m.x * 24 + t.tile_x, m.y * 24 + t.tile_y, m.z, t.terrain FROM local_map m "
            "CROSS JOIN local_tile t ON t.world = m.world AND t.x = m.x AND t.y = m.y AND t.z = m.z "
            "WHERE m.oter NOT IN ('open_air', 'empty_rock', 'rock', 'field', 'forest', 'forest_thick') "
            "AND t.terrain IN ('t_stairs_up', 't_stairs_down', 't_slope_up', 't_slope_down')")
        ways = {tuple(map(int, row[1:4])): (row[4], row[0]) for row in csv.reader(rows.splitlines())}
        answers = {"up": ("down", 1), "down": ("up", -1)}
        met = set()
        for (x, y, z), (terrain, oter) in ways.items():
            kind, to = terrain.rsplit("_", 1)
            back, step = answers[to]
            if self.LEVELS[0] <= z + step <= self.LEVELS[1]:
                self.assertEqual(ways.get((x, y, z + step), ("nothing",))[0], kind + "_" + back,
                                 "%s of %s at %d,%d,%d" % (terrain, oter, x // 24, y // 24, z))
                met.add(re.sub("_(north|east|south|west)$", "", oter))
        for name in ("brick_house", "cellar", "upper_floor", "mine_cage", "grotto_room", "quarry_00",
                     "bunker_quarters", "tenement_floor_ne", "church_nave"):
            self.assertIn(name, met)


SHARED = os.environ.get("PORTOLAN_SHARED") or os.path.join(SOURCE, "..", "shared")
MAPS = os.path.join(SHARED, "reference", "dda-0F-maps", "maps-a.jsonl.zst")


@unittest.skipUnless(os.path.isdir(DDA) and os.path.isfile(MAPS), "the game's maps are not there")
class Sewers(CommandTest):
    """What the content draws over sewers by its extras is a part of them in the game's maps."""

    def theirs(self):
        lines = subprocess.run(["zstd", "-dc", MAPS], capture_output=True, check=True).stdout.splitlines()
        names, counts = json.loads(lines[0])["tables"]["ter"], {}
        for line in lines[1:]:
            if not re.search(rb'"oter": ?"sewer_[nesw]{2,4}"', line):
                continue
            runs = json.loads(line)["ter"]
            for number, count in zip(runs[::2], runs[1::2]):
                counts[names[number]] = counts.get(names[number], 0) + count
        return counts

    def test_shares(self):
        self.done("import", self.file, DDA)
        self.done("new", self.file, "home", "--seed", "7")
        self.done("generate", self.file, "--chunk", "0,0", "--local", "--levels=-1", "--quiet")
        rows = csv.reader(self.done(
            "query", self.file, "--format", "csv", "--no-header",
            "SELECT t.terrain, count(*) FROM local_map m CROSS JOIN local_tile t ON t.world = m.world "
            "AND t.x = m.x AND t.y = m.y AND t.z = m.z WHERE m.oter GLOB 'sewer_[nesw][nesw]*' "
            "AND m.oter NOT GLOB 'sewer_s[tu]*' AND m.oter NOT LIKE '%isolated' AND m.z = -1 "
            "GROUP BY 1").splitlines())
        ours, theirs = {name: int(count) for name, count in rows}, self.theirs()
        self.assertGreater(sum(theirs.values()), 100 * 576)
        self.assertGreater(sum(ours.values()), 150 * 576)
        for name, count in theirs.items():
            share = count / sum(theirs.values())
            if share >= 0.01:
                ratio = ours.get(name, 0) / sum(ours.values()) / share
                self.assertTrue(0.8 <= ratio <= 1.25, (name, share, ratio))


if __name__ == "__main__":
    unittest.main()
