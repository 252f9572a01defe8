"""portolan find: relations against plain Python over a stored world, relations against SQL, seeds
against stored worlds, the same answers for every number of threads, and what it says."""

import csv
import fnmatch
import io
import json
import os
import signal
import subprocess
import time
import unittest

from support import COMMAND, CommandTest, run, wait_for_handler

WHERE = "anthill within 40 of city size >= 3 and no heather within 15"
WHERE_SQL = """
    SELECT s.x, s.y, s.z FROM v_special s WHERE s.special = 'anthill'
    AND EXISTS (SELECT 1 FROM v_city c WHERE c.size >= 3
        AND (c.x - s.x) * (c.x - s.x) + (c.y - s.y) * (c.y - s.y) <= (40 + c.size) * (40 + c.size))
    AND NOT EXISTS (SELECT 1 FROM v_special h WHERE h.special = 'heather'
        AND (h.x - s.x) * (h.x - s.x) + (h.y - s.y) * (h.y - s.y) <= 15 * 15)
    ORDER BY s.y, s.x, s.z"""
NEVER = "anthill within 0 of city and no city within 0"


class Thing:
    """What a relation names: where it is, its tiles, how far a city reaches."""

    def __init__(self, what, place, tiles, radius=0, area=False):
        self.what, self.place, self.tiles, self.radius = what, place, tiles, radius
        self.points = tiles if area else [place]
        self.cells = set(tiles)
        xs, ys = [t[0] for t in (place, *tiles)], [t[1] for t in (place, *tiles)]
        self.box = min(xs) - radius, max(xs) + radius, min(ys) - radius, max(ys) + radius


def far(a, b, reach):
    return (a.box[0] > b.box[1] + reach or b.box[0] > a.box[1] + reach or
            a.box[2] > b.box[3] + reach or b.box[2] > a.box[3] + reach)


def touches(a, b, reach, level):
    if far(a, b, reach):
        return False
    if level and a.radius + b.radius == 0:
        return any((x + dx, y + dy, z) in b.cells for x, y, z in a.tiles
                   for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)))
    square = (reach + a.radius + b.radius) ** 2
    return any((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 <= square and (not level or p[2] == q[2])
               for p in (a.tiles if level else a.points) for q in (b.tiles if level else b.points))


def within(a, things, distance):
    return sum(1 for b in things if b is not a and touches(a, b, distance, False))


def beside(a, things):
    return sum(1 for b in things if b is not a and touches(a, b, 1, True))


class World:
    """Everything of a stored world, by way of SQL and dump."""

    def __init__(self, test, chunks):
        self.ask = lambda sql: test.json("query", test.file, sql, "--format", "json")
        definitions = {}
        for row in self.ask("SELECT special, x, y, z FROM special_omt"):
            definitions.setdefault(row["special"], []).append((row["x"], row["y"], row["z"]))
        pieces = {}
        for row in self.ask("SELECT chunk_x, chunk_y, special_number, x, y, z FROM piece"):
            key = row["chunk_x"], row["chunk_y"], row["special_number"]
            pieces.setdefault(key, []).append((row["x"], row["y"], row["z"]))
        self.specials = [self.placed(row["special"], row, definitions,
                                     pieces.get((row["chunk_x"], row["chunk_y"], row["number"])))
                         for row in self.ask("SELECT * FROM v_special")]
        self.buildings = [self.placed(row["id"], row, definitions, None)
                          for row in self.ask("SELECT * FROM building")]
        self.cities = [Thing("city", (row["x"], row["y"], 0), [(row["x"], row["y"], 0)],
                             row["size"]) for row in self.ask("SELECT * FROM v_city")]
        flags = {row["terrain"]: row["flag"] for row in self.ask(
            "SELECT terrain, flag FROM overmap_terrain_flag WHERE flag IN ('LAKE', 'LAKE_SHORE', "
            "'RIVER')")}
        roads = {row["terrain"] for row in self.ask(
            "SELECT terrain FROM overmap_connection_subtype WHERE connection = 'local_road'")}
        base = {row["id"]: row["terrain"]
                for row in self.ask("SELECT id, terrain FROM concrete_terrain")}
        self.cells = {}
        for x, y in chunks:
            text = test.done("dump", test.file, "--chunk", "%d,%d" % (x, y))
            for j, line in enumerate(text.splitlines()):
                for i, oter in enumerate(line.split(",")):
                    self.cells[x * 180 + i, y * 180 + j] = base[oter]
        self.roads = [self.cell(at) for at, t in self.cells.items() if t in roads]
        self.lakes = self.areas({t for t, f in flags.items() if f != "RIVER"}, "lake")
        self.rivers = self.areas({t for t, f in flags.items() if f == "RIVER"}, "river")

    @staticmethod
    def placed(what, row, definitions, pieces):
        turn = [lambda x, y: (x, y), lambda x, y: (-y, x), lambda x, y: (-x, -y),
                lambda x, y: (y, -x)][row["rotation"]]
        tiles = pieces
        if pieces is None:
            tiles = []
            for x, y, z in definitions.get(what, [(0, 0, 0)]):
                dx, dy = turn(x, y)
                tiles.append((row["x"] + dx, row["y"] + dy, row["z"] + z))
        return Thing(what, (row["x"], row["y"], row["z"]), tiles)

    @staticmethod
    def cell(at):
        return Thing("cell", (*at, 0), [(*at, 0)])

    def areas(self, terrains, what):
        left = {at for at, terrain in self.cells.items() if terrain in terrains}
        found = []
        for start in sorted(left, key=lambda at: (at[1], at[0])):
            if start not in left:
                continue
            left.discard(start)
            todo, area = [start], []
            while todo:
                x, y = todo.pop()
                area.append((x, y, 0))
                for at in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                    if at in left:
                        left.discard(at)
                        todo.append(at)
            found.append(Thing(what, (*start, 0), area, area=True))
        return found

    def some(self, pattern):
        return [s for s in self.specials if fnmatch.fnmatchcase(s.what, pattern)]

    def terrain(self, terrain):
        return [self.cell(at) for at, t in self.cells.items() if t == terrain]


def cases(w):
    """Relations, and what they come to."""
    large = [c for c in w.cities if c.radius >= 3]
    shores = [c for c in large if beside(c, w.lakes)]
    water, stands, heather = w.terrain("forest_water"), w.some("hunting_stand"), w.some("heather")
    return [
        ("special *", w.specials),
        ("special * within 40 of city size >= 3 beside lake",
         [s for s in w.specials if within(s, shores, 40)]),
        ("h* within 12 of road, but no hill_sheepfold within 40 or at z <= -1",
         [s for s in w.some("h*") if s.place[2] <= -1 or
          within(s, w.roads, 12) and not within(s, w.some("hill_sheepfold"), 40)]),
        ("special * beside river or beside lake",
         [s for s in w.specials if beside(s, w.rivers) or beside(s, w.lakes)]),
        ("heather at least 2 hunting_stand within 60",
         [s for s in heather if within(s, stands, 60) >= 2]),
        ("city with exactly 1 lake within 20", [c for c in w.cities if within(c, w.lakes, 20) == 1]),
        ("lake within 30 of city", [a for a in w.lakes if within(a, w.cities, 30)]),
        ("building * beside lake", [b for b in w.buildings if beside(b, w.lakes)]),
        ("hunting_stand no terrain forest_water within 5",
         [s for s in stands if not within(s, water, 5)]),
        ("special * beside building *", [s for s in w.specials if beside(s, w.buildings)]),
    ]


class Find(CommandTest):
    def found(self, where, *more, code=0):
        """Rows as dictionaries."""
        result = run("find", self.file, "--where", where, "--first", 0, "--format", "csv", *more)
        self.assertEqual(result.returncode, code, (where, result.stderr))
        return list(csv.DictReader(io.StringIO(result.stdout)))

    def test_stored_world_by_brute_force(self):
        self.make_world("w", 4)
        self.done("generate", self.file, "--rect", "-1,0,0,0", "--quiet")
        world = World(self, [(-1, 0), (0, 0)])
        some = 0
        for where, things in cases(world):
            want = sorted((t.place[1], t.place[0], t.place[2], t.what) for t in things)
            rows = self.found(where, "--stored", code=0 if want else 1)
            got = [(int(r["y"]), int(r["x"]), int(r["z"]), r["what"]) for r in rows]
            self.assertEqual(sorted(got), want, where)
            self.assertEqual([g[:3] for g in got], [g[:3] for g in sorted(got)], where)
            some += len(want) > 0
            for row in rows:
                self.assertEqual((int(row["chunk_x"]), int(row["chunk_y"])),
                                 (int(row["x"]) // 180, int(row["y"]) // 180))
        self.assertGreater(some, 6)
        # Seeds are worlds, and --rect of a stored world leaves chunks out.
        text = "special * beside river or within 9 of lake"
        self.assertEqual(self.found(text, "--stored"),
                         self.found(text, "--seeds", 4, "--rect", "-1,0,0,0"))
        self.assertEqual(self.found(text, "--stored", "--rect", "0,0,0,0"),
                         self.found(text, "--seeds", "4..4"))
        sql = "SELECT x, y, z FROM v_special WHERE chunk_x = 0 ORDER BY number"
        self.assertEqual(self.found(sql, "--stored"), self.found(sql, "--seeds", 4))

    def test_sql_and_relations_agree(self):
        self.import_builtin()
        places = lambda rows: [(r["seed"], r["x"], r["y"], r["z"]) for r in rows]
        for where, seeds, sql in [(WHERE, "1..9", WHERE_SQL),
                           ("hunting_stand within 2 of terrain forest_thick", "1..3",
                            "SELECT x, y, z FROM v_special s WHERE special = 'hunting_stand' AND "
                            "EXISTS (SELECT 1 FROM omt t WHERE t.world = 'find' AND t.x BETWEEN "
                            "s.x - 2 AND s.x + 2 AND t.y BETWEEN s.y - 2 AND s.y + 2 AND "
                            "t.terrain = 'forest_thick' AND (t.x - s.x) * (t.x - s.x) + (t.y - s.y)"
                            " * (t.y - s.y) <= 4) ORDER BY y, x, z")]:
            one = self.found(where, "--seeds", seeds)
            self.assertGreater(len(one), 1)
            self.assertEqual(places(one), places(self.found(sql, "--seeds", seeds)))
            self.assertEqual(one, self.found(where, "--seeds", seeds, "--jobs", 3))
        self.assertEqual(places(one), places(self.found(sql, "--seeds", seeds, "--jobs", 2)))

    def test_how_many_and_where_to_go_on(self):
        self.make_world("home", 1)
        every = self.found("heather", "--seeds", "5..8")
        first = {}
        for row in every:
            first.setdefault(row["seed"], row)
        result = run("find", self.file, "--where", "heather", "--seeds", "5..8", "--first", 3,
                     "--per-seed", 1, "--format", "json")
        self.assertEqual(result.returncode, 0)
        self.assertEqual([{k: str(v) for k, v in row.items()} for row in json.loads(result.stdout)],
                         list(first.values())[:3])
        self.assertIn("3 matches in 3 seeds, 5..7", result.stderr)
        self.assertIn("go on with --seeds 8..8", result.stderr)
        result = run("find", self.file, "--where", "heather", "--seeds", "5..")
        self.assertEqual(result.stdout.split()[:7], list(every[0]))
        self.assertEqual(result.stdout.split()[14:], list(every[0].values()))
        self.assertRegex(result.stderr, r"1 match in 1 seed, 5\.\.5 .*go on with --seeds 6\.\.\n")
        result = self.failed(1, "0 matches in 3 seeds, 1..3 [^;]*\n$", "find", self.file, "--where",
                             "city", "--seeds", "1..3", "--city-size", 0, "--world", "home")
        self.assertEqual(result.stdout, "")
        rows = self.found("SELECT name AS x, seed FROM world WHERE seed > 2", "--seeds", "2..3",
                          "--world", "home")
        self.assertEqual([(r["seed"], r["x"], r["z"]) for r in rows], [("3", "", "")])

    def test_mistakes(self):
        self.failed(2, "say what is looked for", "find", "f")
        self.failed(2, "neither A..B nor", "find", "f", "--where", "x", "--seeds", "1-2")
        self.failed(2, "lower one comes first", "find", "f", "--where", "x", "--seeds", "2..1")
        self.failed(2, "exclude each other", "find", "f", "--where", "x", "--chunks", 2, "--rect",
                    "0,0,1,1")
        self.failed(2, "--seeds has no meaning", "find", "f", "--where", "x", "--stored", "--seeds",
                    "1")
        self.failed(2, "has its settings", "find", "f", "--where", "x", "--stored", "--compat")
        self.failed(1, "no such file", "find", self.file, "--where", "x")
        self.import_builtin()
        self.failed(2, "no special 'anthil'; did you mean anthill\\?\n"
                    "  a city within 5 of anthil\n {21}\\^\n", "find", self.file, "--where",
                    "a city within 5 of anthil")
        self.failed(2, "found 'near'\n  city near\\\\tlake\n {7}\\^\n", "find", self.file, "--where",
                    "city near\tlake")
        self.failed(1, "no such table: nowhere", "find", self.file, "--where",
                    "SELECT 1 FROM nowhere")
        self.failed(1, "may only read", "find", self.file, "--where", "WITH a AS (SELECT 1) DELETE "
                    "FROM world")
        self.failed(1, "no region_settings 'moon'", "find", self.file, "--where", "city",
                    "--region", "moon")

    def test_stops_cleanly(self):
        self.import_builtin()
        scratch = self.path("scratch")
        os.mkdir(scratch)
        for where in (NEVER, "SELECT 1 WHERE 0"):
            with subprocess.Popen([COMMAND, "find", self.file, "--where", where, "--jobs", "2",
                                   "--seeds", "1.."],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  env=dict(os.environ, TMPDIR=scratch)) as process:
                wait_for_handler(process, signal.SIGINT)
                until = time.monotonic() + 60
                while where != NEVER and not os.listdir(scratch) and time.monotonic() < until:
                    time.sleep(0.01)
                time.sleep(0.1)
                process.send_signal(signal.SIGINT)
                out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 1, err)
            self.assertEqual(out, "")
            self.assertRegex(err, r"stopped; 0 matches in (\d+) seeds?, 1\.\.\1 .*--seeds \d+\.\.\n|"
                             "stopped; no seed was asked to its end")
            self.assertEqual(os.listdir(scratch), [])


if __name__ == "__main__":
    unittest.main()
