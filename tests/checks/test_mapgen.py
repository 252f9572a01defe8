"""portolan mapgen: maps of one id without a world; what made a tile, with places and chances that the test
knows; each mistake that --check looks for, planted, and content beside it that has none; --watch."""

import json
import os
import re
import signal
import struct
import subprocess
import sys
import time
import unittest
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "cli"))
from support import COMMAND, CommandTest, run  # noqa: E402 pylint: disable=wrong-import-position

PLAIN = ["." * 24] * 24


def rows(*lines, width=24, height=24):
    """A drawing, filled up with points."""
    return [line.ljust(width, ".") for line in lines] + ["." * width] * (height - len(lines))


def one_line(value):
    """JSON with each object of the list on a line of its own, so that its line is known."""
    return "[\n" + ",\n".join(json.dumps(v) for v in value) + "\n]\n"


# Line 2 has the terrain, line 3 the first entry, and so on.
CONTENT = [
    {"type": "overmap_terrain", "id": ["hut", "shed", "lone"], "name": "x", "sym": "x", "color": "red"},
    {"type": "mapgen", "om_terrain": "hut", "weight": 300, "object": {
        "fill_ter": "t_grass", "palettes": ["hut_palette"], "parameters": {"floor": {
            "type": "ter_str_id", "default": {"distribution": [["t_floor", 1], ["t_dirt", 3]]}}},
        "rows": rows("#####", "#w.q#", "#...#", "#####"),
        "terrain": {"q": {"param": "floor", "fallback": "t_dirt"}, ".": "t_grass"},
        "place_item": [{"item": "rope", "x": 20, "y": 21, "chance": 100}],
        "place_nested": [{"chunks": [["spot", 1], ["null", 1]], "x": 10, "y": 12}]}},
    {"type": "mapgen", "om_terrain": "hut", "weight": 100, "object": {
        "fill_ter": "t_dirt", "set": [{"point": "terrain", "id": "t_water_sh", "x": 0, "y": 5}]}},
    {"type": "palette", "id": "hut_palette", "terrain": {
        "#": "t_wall_timber", "w": [["t_floor", 1], ["t_window", 3]]}},
    {"type": "mapgen", "nested_mapgen_id": "spot", "object": {
        "mapgensize": [2, 2], "rows": ["AB", "BB"], "terrain": {"A": "t_pavement", "B": "t_rock"}}},
    {"type": "mapgen", "update_mapgen_id": "flood", "object": {
        "set": [{"square": "terrain", "id": "t_water_sh", "x": 0, "y": 0, "x2": 23, "y2": 0}]}},
    {"type": "mapgen", "om_terrain": "shed", "object": {
        "fill_ter": "t_dirt", "place_nested": [
            {"chunks": ["spot"], "else_chunks": ["null"], "x": 1, "y": 1, "neighbors": {"north": ["hut"]}}]}},
    {"type": "mapgen", "om_terrain": "lone", "object": {"predecessor_mapgen": "hut", "set": [
        {"point": "terrain", "id": "t_pavement", "x": 23, "y": 23}]}},
    {"type": "overmap_special", "id": "pair", "occurrences": [0, 1], "locations": ["land"], "overmaps": [
        {"point": [0, 0, 0], "overmap": "hut_north"}, {"point": [1, 0, 0], "overmap": "shed_north"}]},
    {"type": "overmap_special", "id": "grown", "subtype": "mutable", "occurrences": [0, 1], "locations": ["land"],
     "joins": [], "overmaps": {"r": {"overmap": "hut_north"}}, "root": "r",
     "phases": [[{"overmap": "r", "max": 1}]]},
]


def png_size(path):
    with open(path, "rb") as file:
        head = file.read(33)
    assert head[:8] == b"\x89PNG\r\n\x1a\n" and zlib.crc32(head[12:29]) == struct.unpack(">I", head[29:33])[0]
    return struct.unpack(">II", head[16:24])


class MapgenTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.file = self.put("mod/a.json", one_line(CONTENT))

    def put(self, name, value):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(value if isinstance(value, str) else json.dumps(value))
        return path

    def mapgen(self, *words, code=0):
        done = run("mapgen", words[0], "--builtin", self.file, *words[1:])
        self.assertEqual(done.returncode, code, (words, done.stderr))
        return done.stdout if code == 0 else done.stderr

    def tiles(self, *words):
        """The lines of one map."""
        lines = self.mapgen(*words, "--plain", "--no-extras").splitlines()
        self.assertEqual([len(line) for line in lines], [24] * 24, words)
        return lines

    def steps(self, *words):
        return json.loads(self.mapgen(*words, "--no-extras", "--json"))


class Maps(MapgenTest):
    def test_one_map(self):
        text = self.mapgen("hut")
        self.assertRegex(text, r"^terrain hut, seed 1: entry [12]\n")
        self.assertIn("Terrain\n", text)
        self.assertEqual(self.mapgen("hut"), text)

    def test_entries(self):
        listed = json.loads(self.mapgen("hut", "--entries", "--json"))
        self.assertEqual([(e["key"], e["entry"], e["weight"], e["share"], e["line"]) for e in listed],
                         [("hut", 1, 300, 0.75, 3), ("hut", 2, 100, 0.25, 4)])
        self.assertEqual({e["file"] for e in listed}, {self.file})
        for number, first in ((1, "t_wall_timber"), (2, "t_dirt")):
            self.assertEqual(self.steps("hut", "--entry", number, "--explain", "0,0")[-1]["id"], first)
        self.assertIn("'hut' has 2 entries, and none 3", self.mapgen("hut", "--entry", 3, code=1))

    def test_weights(self):
        text = self.mapgen("hut", "--times", 200, "--plain", "--grid")
        self.assertEqual(text.count("\n23 "), 200)
        heads = self.mapgen("hut", "--times", 200)
        first = len(re.findall(r"seed \d+: entry 1\n", heads))
        self.assertEqual(first + len(re.findall(r"seed \d+: entry 2\n", heads)), 200)
        self.assertTrue(120 < first < 180, first)  # 150 expected, deviation 6

    def test_variants_are_those_of_seeds(self):
        heads = re.split(r"(?m)^terrain hut, .*\n", self.mapgen("hut", "--times", 5))[1:]
        for seed, text in enumerate(heads, 1):
            self.assertEqual("\n".join(self.tiles("hut", "--seed", seed)), text.rstrip("\n"))

    def test_rotate(self):
        plain = self.tiles("hut", "--entry", 1)
        for turns in range(1, 4):
            plain = ["".join(plain[23 - x][y] for x in range(24)) for y in range(24)]
            shown = self.tiles("hut", "--entry", 1, "--rotate", turns)
            self.assertEqual([line.count(".") for line in shown], [line.count(".") for line in plain], turns)
        self.assertEqual(self.tiles("hut_east", "--entry", 1), self.tiles("hut", "--entry", 1, "--rotate", 1))

    def test_parameters(self):
        for value in ("t_floor", "t_dirt"):
            steps = self.steps("hut", "--entry", 1, "--param", "floor=" + value, "--explain", "3,1")
            self.assertEqual([s["id"] for s in steps], ["t_grass", value])
        self.assertIn("can't have the value 't_wall'", self.mapgen("hut", "--entry", 1, "--param", "floor=t_wall", code=1))
        self.assertIn("asks for a parameter 'roof'", self.mapgen("hut", "--param", "roof=x", code=1))

    def test_neighbours(self):
        alone = self.steps("shed", "--explain", "1,1")
        beside = self.steps("shed", "--explain", "1,1", "--neighbours", "north=hut")
        self.assertEqual([s["id"] for s in alone], ["t_dirt"])
        self.assertEqual([s["id"] for s in beside], ["t_dirt", "t_pavement"])
        self.assertEqual(self.steps("shed", "--explain", "1,1", "--neighbours", "around=hut"), beside)
        self.assertEqual(self.steps("shed", "--explain", "1,1", "--neighbours", "south=hut"), alone)
        self.assertIn("no overmap terrain 'nowhere'", self.mapgen("shed", "--neighbours", "north=nowhere", code=1))
        self.assertIn("'nroth' is no direction", self.mapgen("shed", "--neighbours", "nroth=hut", code=1))

    def test_what_is_poured_together(self):
        """Of two pieces that put the same cartridges on a tile each is told, though they make one heap."""
        content = [CONTENT[0], {"type": "AMMO", "id": "shot", "name": "shot", "count": 10, "stack_size": 10},
                   {"type": "mapgen", "om_terrain": "hut", "object": {
                       "fill_ter": "t_dirt", "place_item": [{"item": "shot", "x": 3, "y": 3},
                                                            {"item": "shot", "x": 4, "y": 3},
                                                            {"item": "shot", "x": 3, "y": 3}]}}]
        self.file = self.put("mod/a.json", one_line(content))
        for tile, count in (("3,3", 2), ("4,3", 1), ("5,3", 0)):
            steps = self.steps("hut", "--explain", tile)
            self.assertEqual([s["id"] for s in steps], ["t_dirt"] + ["shot"] * count, tile)

    def test_update_and_nested(self):
        ground = self.tiles("flood")
        self.assertEqual((ground[0], ground[1]), ("~" * 24, "." * 24))
        over = self.steps("flood", "--explain", "0,1", "--neighbours", "before=hut")
        self.assertEqual({s["key"] for s in over}, {"hut"})
        self.assertEqual(self.steps("flood", "--explain", "0,0", "--neighbours", "before=hut")[-1]["by"], "update")
        self.assertEqual(self.steps("flood", "--rotate", 1, "--explain", "23,9")[-1]["id"], "t_water_sh")
        for tile, id_ in (("11,11", "t_pavement"), ("12,11", "t_rock")):
            self.assertEqual([s["id"] for s in self.steps("spot", "--explain", tile)], [id_])
        self.assertEqual([s["id"] for s in self.steps("spot", "--rotate", 1, "--explain", "12,11")], ["t_pavement"])

    def test_special(self):
        lines = self.mapgen("pair", "--plain", "--no-extras").splitlines()
        self.assertEqual([len(line) for line in lines], [48] * 24)
        turned = self.mapgen("pair", "--plain", "--no-extras", "--rotate", 1).splitlines()
        self.assertEqual([len(line) for line in turned], [24] * 48)
        self.assertEqual({e["key"] for e in json.loads(self.mapgen("pair", "--entries", "--json"))}, {"hut", "shed"})
        self.assertIn("mutable special", self.mapgen("grown", code=1))
        self.assertIn("name its terrain", self.mapgen("pair", "--entry", 1, code=1))

    def test_unknown(self):
        self.assertIn("'hutt'; did you mean 'hut'?", self.mapgen("hutt", code=1))
        self.assertIn("no update 'hut'", self.mapgen("hut", "--kind", "update", code=1))
        long = self.mapgen("x" * 100000, code=1)
        self.assertLess(len(long), 1000)

    def test_picture(self):
        out = self.path("a.png")
        self.mapgen("hut", "--times", 20, "--png", out)
        width, height = png_size(out)
        self.assertTrue(5 * 24 * 8 < width < 1600 and 4 * 24 * 8 < height < 1300, (width, height))
        self.mapgen("hut", "--png", out, "--plain")
        self.assertEqual(png_size(out), (24 * 24, 24 * 24))
        self.mapgen("hut", "--png", out, "--grid", "--plain")
        self.assertGreater(png_size(out)[0], 24 * 24)

    def test_grid(self):
        lines = self.mapgen("hut", "--grid", "--plain").splitlines()
        self.assertEqual(lines[0], "   0     6     12    18")
        self.assertEqual([line[:3] for line in lines[1:]], ["%2d " % y for y in range(24)])

    def test_world_file(self):
        file = self.path("w.db")
        self.done("import", file, "--builtin", self.file)
        self.done("new", file, "w", "--seed", "1")
        with open(file, "rb") as opened:
            before = opened.read()
        self.assertEqual(self.done("mapgen", "hut", file), self.mapgen("hut"))
        with open(file, "rb") as opened:
            self.assertEqual(opened.read(), before)

    def test_wrong_use(self):
        for words, said in ((["--entries", "--explain", "1,1"], "one of"), (["--format", "csv"], "--format is for"),
                            (["--explain", "24,0"], "0..23"), (["--times", "0"], "times"),
                            (["--errors", "MG501"], "goes with --check"), (["--check", "--entry", "1"], "does not go"),
                            (["--entries", "--png", "x.png"], "for maps"), (["--seconds", "1"], "goes with --watch"),
                            (["--watch", "--png", "-"], "needs a file"), (["--kind", "x"], "none of"),
                            (["--param", "x"], "no '='"), (["--riot-damage", "x"], "off|on")):
            self.assertIn(said, self.mapgen("hut", *words, code=2), words)
        self.assertIn("which content?", run("mapgen", "hut").stderr)


class Explain(MapgenTest):
    """The tile's steps, each with who did it and where that stands."""

    def said(self, tile, *words):
        return [(s["what"], s["id"], s["by"], s["key"], s["member"], s["symbol"], s["palette"], s["line"])
                for s in self.steps("hut", "--entry", 1, *words, "--explain", tile)]

    def test_who(self):
        fill = ("terrain", "t_grass", "terrain", "hut", "fill_ter", None, None, 3)
        self.assertEqual(self.said("0,0"), [fill, ("terrain", "t_wall_timber", "terrain", "hut", "terrain", "#",
                                                   "hut_palette", 5)])
        self.assertEqual(self.said("20,21")[-1], ("item", "rope", "terrain", "hut", "item", None, None, 3))
        for seed in range(1, 20):
            steps = self.said("10,12", "--seed", seed)
            if len(steps) > 1:
                self.assertEqual(steps, [fill, ("terrain", "t_pavement", "chunk", "spot", "terrain", "A", None, 6)])
                break
        else:
            self.fail("the chunk never came")

    def test_chances(self):
        for seed in range(1, 20):
            words = ("hut", "--entry", 1, "--seed", seed, "--explain")
            step = self.steps(*words, "1,1")[-1]
            self.assertEqual((step["chance"], step["way"]), (0.25 if step["id"] == "t_floor" else 0.75, 1))
            step = self.steps(*words, "3,1")[-1]
            self.assertEqual(step["chance"], 0.25 if step["id"] == "t_floor" else 0.75)
            for step in self.steps(*words, "10,12")[1:]:
                self.assertEqual((step["chance"], step["way"], step["depth"]), (1, 0.5, 1))
        entries = {self.steps("hut", "--seed", seed, "--explain", "0,0")[0]["way"] for seed in range(1, 20)}
        self.assertEqual(entries, {0.75, 0.25})

    def test_rotated(self):
        for turns, tile in enumerate(("1,1", "22,1", "22,22", "1,22")):
            step = self.steps("hut", "--entry", 1, "--rotate", turns, "--explain", tile)[-1]
            self.assertEqual(step["symbol"], "w", turns)

    def test_predecessor(self):
        """A map that is drawn over another one, both of them rotated."""
        for turns, tile in enumerate(("0,0", "23,0", "23,23", "0,23")):
            steps = self.steps("lone", "--rotate", turns, "--explain", tile)
            self.assertEqual({s["key"] for s in steps}, {"hut"}, turns)
        last = self.steps("lone", "--explain", "23,23")[-1]
        self.assertEqual((last["key"], last["id"], last["member"]), ("lone", "t_pavement", "set"))

    def test_what_is_last_stands(self):
        """The last step of each layer is what the map shows, on tiles of maps that code and content make."""
        for oter in ("cottage", "field", "road_ns", "cabin"):
            done = run("mapgen", oter, "--builtin", "--plain", "--no-extras")
            lines = done.stdout.splitlines()
            for tile in ((0, 0), (8, 8), (12, 10), (23, 23)):
                steps = json.loads(run("mapgen", oter, "--builtin", "--no-extras", "--json", "--explain",
                                       "%d,%d" % tile).stdout)
                self.assertTrue(any(s["what"] == "terrain" for s in steps), (oter, tile))
                self.assertEqual(len(lines), 24)


class Check(MapgenTest):
    def check(self, *objects, pattern="*", words=()):
        """{(code, line)} of what is found in a file of a terrain and these objects; the terrain is line 2."""
        terrain = {"type": "overmap_terrain", "id": ["x", "y"], "name": "x", "sym": "x", "color": "red"}
        self.file = self.put("check/a.json", one_line([terrain, *objects]))
        done = run("mapgen", pattern, "--builtin", self.file, "--check", "--format", "jsonl", *words)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        return {(f["code"], f["line"]) for f in found if f["file"] == self.file}

    @staticmethod
    def entry(id_="x", **what):
        return {"type": "mapgen", "om_terrain": id_, "object": {"fill_ter": "t_dirt", **what}}

    def test_nothing(self):
        self.assertEqual(self.check(self.entry()), set())
        self.file = self.put("mod/a.json", one_line(CONTENT))
        done = run("mapgen", "hut", "--builtin", self.file, "--check", "--pack", "no_such")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no mapgen, and no special, of the id 'none'",
                      run("mapgen", "none", "--builtin", self.file, "--check").stderr)

    def test_chunk_outside(self):
        chunk = {"type": "mapgen", "nested_mapgen_id": "c", "object": {
            "mapgensize": [3, 3], "rows": ["AA ", "AA ", "   "], "terrain": {"A": "t_floor"}}}
        for x, found in ((21, False), (22, False), (23, True)):  # its third column is empty
            where = [{"chunks": ["c"], "x": x, "y": 0}]
            self.assertEqual(self.check(self.entry(place_nested=where), chunk),
                             {("MG501", 3)} if found else set(), x)

    def test_things_in_walls(self):
        wall = [{"square": "terrain", "id": "t_wall_timber", "x": 0, "y": 0, "x2": 9, "y2": 9}]
        for x, found in ((3, True), (12, False), ([8, 12], False)):
            item = [{"item": "rope", "x": x, "y": 3}]
            self.assertEqual(self.check(self.entry(set=wall, place_item=item)), {("MG502", 3)} if found else set(), x)

    def test_doors(self):
        for around, found in (("###", True), ("#.#", False)):
            drawn = rows("#.#", "#+#", around)
            self.assertEqual(self.check(self.entry(rows=drawn, terrain={"#": "t_wall_timber", "+": "t_door_closed"})),
                             {("MG503", 3)} if found else set(), around)

    def test_rooms(self):
        room = ["######", "#....#", "#....#", "#....#", "######"]
        for last, found in (("######", True), ("###+##", False), ("###w##", False), ("###.##", False)):
            drawn = rows(*[" " + line for line in ["      "] + room[:-1] + [last]])
            used = {key: id_ for key, id_ in (("#", "t_wall_timber"), ("+", "t_door_closed"), ("w", "t_window"))
                    if key in "#" + last}
            words = self.entry(rows=drawn, terrain=used)
            self.assertEqual(self.check(words), {("MG504", 3)} if found else set(), last)
        self.assertEqual(self.check(self.entry(rows=rows("      ", *[" " + line for line in room]),
                                               terrain={"#": "t_wall_timber"},
                                               set=[{"point": "terrain", "id": "t_stairs_up", "x": 3, "y": 3}])), set())
        small = rows("      ", *[" " + line[:4] for line in ("####", "#..#", "#..#", "####")])
        self.assertEqual(self.check(self.entry(rows=small, terrain={"#": "t_wall_timber"})), set())

    def test_a_room_that_chance_closes(self):
        """Is no mistake; nor is one that a neighbour opens."""
        room = rows("      ", *[" " + line for line in ("######", "#....#", "#....?", "#....#", "######")])
        drawn = {"rows": room, "terrain": {"#": "t_wall_timber", "?": [["t_wall_timber", 1], ["t_floor", 1]]}}
        self.assertEqual(self.check(self.entry(**drawn), words=["--times", 12]), set())
        closed = {"rows": [line.replace("?", "#") for line in room], "terrain": {"#": "t_wall_timber"}, "place_nested": [
            {"chunks": ["c"], "else_chunks": ["null"], "x": 6, "y": 3, "neighbors": {"east": ["field"]}}]}
        chunk = {"type": "mapgen", "nested_mapgen_id": "c", "object": {
            "mapgensize": [1, 1], "rows": ["A"], "terrain": {"A": "t_floor"}}}
        self.assertEqual(self.check(self.entry(**closed), chunk), set())
        closed["rows"] = rows("###", "#+#", "###")
        closed["terrain"] = {"#": "t_wall_timber", "+": "t_door_closed"}
        self.assertEqual(self.check(self.entry(**closed), chunk), set())

    def test_stairs(self):
        special = {"type": "overmap_special", "id": "z", "occurrences": [0, 1], "locations": ["land"], "overmaps": [
            {"point": [0, 0, 0], "overmap": "x_north"}, {"point": [0, 0, 1], "overmap": "y_north", "locations": []}]}
        up = self.entry(set=[{"point": "terrain", "id": "t_stairs_up", "x": 9, "y": 9}])
        for x, found in ((9, False), (11, False), (12, True)):
            down = self.entry("y", set=[{"point": "terrain", "id": "t_stairs_down", "x": x, "y": 9}])
            self.assertEqual(self.check(special, up, down), {("MG505", 4), ("MG505", 5)} if found else set(), x)
        edge = self.entry(set=[{"point": "terrain", "id": "t_stairs_up", "x": 22, "y": 9}])
        self.assertEqual(self.check(special, edge, self.entry("y")), set())  # on the next OMT, it may be
        # A cover can be opened, where a ladder is below it; it need not be. Who swims needs no stairs.
        tiles = [{"type": "terrain", "id": name, "name": name, "symbol": "0", "color": "white", "move_cost": 2, "flags": flags}
                 for name, flags in (("t_manhole_cover", []), ("t_deep", ["LIQUID", "SWIMMABLE", "DEEP_WATER", "GOES_UP"]))]
        cover = self.entry("y", set=[{"point": "terrain", "id": "t_manhole_cover", "x": 9, "y": 9}])
        deep = self.entry(set=[{"point": "terrain", "id": "t_deep", "x": 9, "y": 9}])
        self.assertEqual(self.check(special, up, cover, *tiles), set())
        self.assertEqual(self.check(special, self.entry(), cover, *tiles), set())
        self.assertEqual(self.check(special, deep, self.entry("y"), *tiles), set())

    def test_characters_and_weights(self):
        unused = self.entry(rows=PLAIN, terrain={"q": "t_wall_timber", ".": "t_dirt"})
        self.assertEqual(self.check(unused), {("MG506", 3)})
        self.assertEqual(self.check({**self.entry(), "weight": 0}, self.entry()), {("MG507", 3)})
        self.assertEqual(self.check({**self.entry(), "disabled": True}, self.entry()), {("MG507", 3)})

    def test_patterns(self):
        bad = {**self.entry(), "weight": 0}
        for pattern, found in (("x", True), ("*", True), ("y", False), ("x*", True), ("*z*", False)):
            self.assertEqual(("MG507", 3) in self.check(bad, self.entry("y"), pattern=pattern), found, pattern)

    def test_forms(self):
        self.check({**self.entry(), "weight": 0})
        words = ("mapgen", "x", "--builtin", self.file, "--check")
        self.assertEqual(run(*words).returncode, 0)
        self.assertEqual(run(*words, "--errors", "MG507").returncode, 1)
        self.assertEqual(run(*words, "--max-warnings", "0").returncode, 1)
        self.assertRegex(run(*words, "--format", "github").stdout, r"^::warning file=.*,line=3,title=MG507::x: ")
        self.assertIn("<testsuite", run(*words, "--format", "junit").stdout)
        sarif = json.loads(run(*words, "--format", "sarif").stdout)["runs"][0]
        self.assertEqual([r["ruleId"] for r in sarif["results"]], ["MG507"])
        known = self.path("known.json")
        run(*words, "--write-baseline", known)
        again = run(*words, "--baseline", known, "--max-warnings", "0")
        self.assertEqual((again.returncode, again.stdout), (0, ""))


class Hostile(MapgenTest):
    def test_chunks_that_nest_themselves(self):
        self.file = self.put("mod/b.json", one_line([
            {"type": "overmap_terrain", "id": "x", "name": "x", "sym": "x", "color": "red"},
            {"type": "mapgen", "om_terrain": "x", "object": {"fill_ter": "t_dirt", "place_nested": [
                {"chunks": ["c"], "x": 0, "y": 0, "repeat": 9}]}},
            {"type": "mapgen", "nested_mapgen_id": "c", "object": {"mapgensize": [1, 1], "place_nested": [
                {"chunks": ["c"], "x": 0, "y": 0, "repeat": 9}]}}]))
        begun = time.monotonic()
        self.assertIn("asks for more than is ever made", self.mapgen("x", code=1))
        self.assertIn("asks for more", self.mapgen("x", "--explain", "1,1", code=1))
        run("mapgen", "*", "--builtin", self.file, "--check")
        self.assertLess(time.monotonic() - begun, 60)

    def test_broken_content(self):
        self.put("mod/c.json", "[{")
        done = run("mapgen", "hut", "--builtin", self.path("mod"))
        self.assertNotIn(done.returncode, (-11, -6))


class Watch(MapgenTest):
    def wait_for(self, stream, text):
        for line in stream:
            if text in line:
                return
        self.fail("it ended without " + text)

    def test_saves(self):
        out = self.path("w.png")
        with subprocess.Popen([COMMAND, "mapgen", "hut", "--builtin", self.path("mod"), "--png", out, "--watch",
                               "--plain", "--no-extras"], stderr=subprocess.PIPE, text=True) as watch:
            try:
                self.wait_for(watch.stderr, "drawn in")
                with open(out, "rb") as file:
                    before = file.read()
                self.put("mod/a.json", one_line(CONTENT).replace('"t_grass"', '"t_water_sh"'))
                self.wait_for(watch.stderr, "saved: " + self.path("mod/a.json"))
                self.wait_for(watch.stderr, "drawn in")
                with open(out, "rb") as file:
                    after = file.read()
                self.assertNotEqual(before, after)
                self.put("mod/a.json", one_line(CONTENT[:1]).replace("hut", "hat"))  # a mistake, and its end
                self.wait_for(watch.stderr, "no overmap terrain")
                self.put("mod/a.json", one_line(CONTENT))
                self.wait_for(watch.stderr, "drawn in")
                with open(out, "rb") as file:
                    self.assertEqual(file.read(), before)
            finally:
                watch.send_signal(signal.SIGINT)
                begun = time.monotonic()
                watch.stderr.read()
                watch.wait()
        self.assertLess(time.monotonic() - begun, 5)
        self.assertEqual(watch.returncode, 0)


if __name__ == "__main__":
    unittest.main()
