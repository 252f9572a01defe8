"""The local map of every terrain of every content, ours and theirs, opened once: an overmap that has
each of them somewhere is read in, and all of its maps are made. None may be the stopgap of one
terrain but for EXCEPTIONS, which `status --mapgen` must name, and none else; a terrain that says what
its map is all of (`uniform_terrain`) has that; houses have walls, as many as the maps that the real
0.I made of the same terrains (../shared/reference/dda-0I-maps).

Our own content is taken always, of theirs one by turns (PORTOLAN_TURN, tools/lib.sh);
PORTOLAN_SOAK_TERRAINS=1: all of them.
"""

import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from support import DDA, SOURCE, CommandTest  # noqa: E402

SHARED = os.environ.get("PORTOLAN_SHARED") or os.path.join(SOURCE, "..", "shared")
CONTENT = os.path.join(SHARED, "content")
TODAY = ("dda-0I", "dda-2026-08", "bn-2026-08")
THEIRS = ("0.F", "old bn", "mutable", "mods") + TODAY
# What a content's own game makes by code that no document describes, by terrain.
EXCEPTIONS = {
    "bn-2026-08": {"test": "a terrain for the game's own trials, on no overmap"},
}
# Excerpts have overmaps alone: no mapgen, and so no map but of what the games make by code.
EXCERPTS = {"old bn": ("bn",), "mutable": ("bn", "dda-mutable")}
# Scenarios and the game's own tests, which no world has beside the others.
ALONE = ("dda", "TEST_DATA", "dda_tutorial")
SIDE = 180
LEVELS = 21
GROUND = 10  # the layer of z = 0
FALLBACK = "SELECT DISTINCT oter FROM local_map WHERE fallback = 1"
UNMADE = "no map of terrain "
HOUSES = """SELECT DISTINCT s.oter FROM special_omt s JOIN region_building b ON b.id = s.special
    WHERE b.bin = 'houses' AND b.region = 'default' AND s.z = 0"""
WALLS = """SELECT m.oter, sum(t.terrain LIKE '%wall%' OR t.terrain LIKE '%window%') FROM local_map m
    JOIN local_tile t USING (x, y, z) GROUP BY 1"""
UNIFORM = """SELECT c.id, t.uniform_terrain FROM overmap_terrain t
    JOIN concrete_terrain c ON c.terrain = t.id WHERE t.uniform_terrain IS NOT NULL"""
TILES = """SELECT m.oter, t.terrain, count(*) FROM local_map m JOIN local_tile t USING (x, y, z)
    WHERE m.oter IN ('%s') GROUP BY 1, 2"""


def runs(ids):
    found = []
    for one in ids:
        if found and found[-1][0] == one:
            found[-1][1] += 1
        else:
            found.append([one, 1])
    return found


def is_wall(terrain):
    return "wall" in terrain or "window" in terrain


class EveryTerrain(CommandTest):
    def ask(self, sql):
        return [list(row.values()) for row in
                json.loads(self.done("query", self.file, sql, "--format", "json",
                                     "--time-limit", "0", timeout=600))]

    def overmaps(self, ids):
        """Writes saves' overmaps that have all of them on the ground; their folder."""
        maps = tempfile.mkdtemp(dir=self.folder)
        # What has no roof: that would lie over open air.
        fill = "open_air" if "open_air" in ids else ids[0]
        for number in range(0, len(ids), SIDE * SIDE):
            here = ids[number:number + SIDE * SIDE]
            ground = here + [fill] * (SIDE * SIDE - len(here))
            with open(os.path.join(maps, "o.%d.0" % (number // (SIDE * SIDE))), "w",
                      encoding="utf-8") as file:
                file.write("# version 33\n")
                json.dump({"layers": [runs(ground) if z == GROUND else [[fill, SIDE * SIDE]]
                                      for z in range(LEVELS)], "region_id": "default"}, file)
        return maps

    def open_all(self, *content, region=None):
        """Imports, makes the map of each terrain, and checks what can be told of any content."""
        self.done("import", self.file, *content, "--no-warnings", "--lenient", timeout=600)
        ids = [row[0] for row in self.ask("SELECT id FROM concrete_terrain ORDER BY 1")]
        self.done("new", self.file, "w", "--seed", "3", *(["--region", region] if region else []))
        self.done("import-save", self.file, self.overmaps(ids), "-q")
        area = "0,0,%d,%d" % (SIDE * -(-len(ids) // (SIDE * SIDE)) - 1,
                              SIDE - 1 if len(ids) > SIDE * SIDE else (len(ids) - 1) // SIDE)
        self.done("generate", self.file, "--local", "--omt", area, "--levels", "0", "-q",
                  timeout=600)
        made = {row[0] for row in self.ask("SELECT DISTINCT oter FROM local_map")}
        self.assertGreaterEqual(len(made), 0.99 * len(ids))  # ids of before are others now
        uniform = dict(self.ask(UNIFORM))
        self.all_of(uniform)

    def all_of(self, whole):
        """Each of these oters' maps is of that terrain alone."""
        self.assertEqual({oter: set(found) for oter, found in self.tiles(whole).items()},
                         {oter: {terrain} for oter, terrain in whole.items()})

    def tiles(self, oters):
        """{oter: {terrain: tiles}} of their maps."""
        found = collections.defaultdict(dict)
        for oter, terrain, count in self.ask(TILES % "', '".join(oters)):
            found[oter][terrain] = count
        return found

    def fallen(self):
        """Terrains whose maps are the stopgap; `status` must name these and none else."""
        types = dict(self.ask("SELECT id, terrain FROM concrete_terrain"))
        fell = {types[row[0]] for row in self.ask(FALLBACK)}
        told = json.loads(self.done("status", self.file, "--mapgen", "--json"))["mapgen"]
        named = {row["what"][len(UNMADE):] for row in told if row["what"].startswith(UNMADE)}
        self.assertEqual(named, fell)
        return fell

    def walls(self):
        return {oter: int(count or 0) for oter, count in self.ask(WALLS)}

    def houses_have_walls(self):
        """All but courtyards, ponds and parking places."""
        walls, houses = self.walls(), [row[0] for row in self.ask(HOUSES)]
        bare = [oter for oter in houses if walls.get(oter, 0) == 0]
        self.assertGreater(len(houses), 50)
        self.assertLess(len(bare), 0.05 * len(houses), bare)

    def unpack(self, game):
        self.need(os.path.join(CONTENT, "today"))
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        subprocess.run(["tar", "--zstd", "-xf", os.path.join(CONTENT, "today", game + ".tar.zst"),
                        "-C", folder], check=True)
        return folder

    def need(self, folder):
        if not os.path.isdir(folder):
            self.assertFalse(os.environ.get("CI") == "true" and os.path.isdir(SHARED), folder)
            self.skipTest("%s is not there" % folder)

    def its_turn(self, name):
        if "PORTOLAN_SOAK_TERRAINS" not in os.environ and \
                THEIRS[int(os.environ.get("PORTOLAN_TURN", 0)) % len(THEIRS)] != name:
            self.skipTest("not its turn")

    def test_our_own(self):
        """With a sea: terrains of islands depend on it."""
        self.open_all("--builtin", region="coast")
        self.assertEqual(self.fallen(), set())

    def test_an_entry_in_a_terrain(self):
        """What stands in a terrain's own `mapgen` is an entry like any other, of a linear terrain
        with its shape; one that is uniform is so whatever is registered for it."""
        def drawn(terrain):
            return {"method": "json", "object": {"fill_ter": terrain}}
        terrain = [{"type": "overmap_terrain", "id": name, "name": name, "sym": "#",
                    "color": "white", "see_cost": 1, "flags": flags, **more}
                   for name, flags, more in (
                       ("plain", ["NO_ROTATE"], {"mapgen": [drawn("t_dirt")]}),
                       ("way", ["LINEAR"], {"mapgen_tee": [drawn("t_dirt")],
                                            "mapgen_straight": [drawn("t_pavement")]}),
                       ("whole", ["NO_ROTATE"], {"uniform_terrain": "t_floor",
                                                 "mapgen": [drawn("t_dirt")]}),
                       ("over", ["NO_ROTATE"], {}),
                       ("nothing", [], {}),
                       ("own_lot", ["NO_ROTATE"], {"mapgen": [{"builtin": "parking_lot"}]}))]
        mapgen = [{"type": "mapgen", "om_terrain": "whole", **drawn("t_rock")},
                  {"type": "mapgen", "om_terrain": "over",
                   "object": {"predecessor_mapgen": "whole"}}]
        os.mkdir(self.path("mod"))
        self.write("mod/modinfo.json", json.dumps([{"type": "MOD_INFO", "id": "m", "name": "m"}]))
        self.write("mod/all.json", json.dumps(terrain + mapgen))
        self.open_all("--builtin", self.path("mod"), region="coast")
        self.assertEqual(self.fallen(), {"nothing", "way"})
        whole = {"plain": "t_dirt", "way_nes": "t_dirt", "way_ns": "t_pavement",
                 "whole": "t_floor", "over": "t_floor"}
        self.all_of(whole)
        self.assertGreater(self.tiles(["own_lot"])["own_lot"]["t_pavement_y"], 40)

    def test_mistakes_in_a_terrains_entry(self):
        """They are told with their places, as those of other entries."""
        path = self.write("all.json", """[{"type": "overmap_terrain", "id": "plain", "name": "p",
"sym": "#", "color": "white", "flags": ["NO_ROTATE"],
"mapgen": [{"object": {"fill_ter": "t_dirt", "odd": 1}}, {"object": {"rows": ["a"]}}]}]""")
        self.failed(1, r"all\.json:3:46: plain: warning: MG005: .*\n(.*\n)*.*all\.json:3:\d+: plain: "
                       "MG101: 1 rows", "import", self.file, "--builtin", path)

    def test_game(self):
        self.its_turn("0.F")
        if not os.path.isdir(DDA):
            self.skipTest("cataclysm-dda-data is not there")
        self.open_all(DDA)
        self.assertEqual(self.fallen(), set())

    def test_excerpts(self):
        for name, folders in EXCERPTS.items():
            with self.subTest(content=name):
                self.its_turn(name)
                paths = [os.path.join(CONTENT, folder, "json") for folder in folders]
                self.need(paths[0])
                self.file = self.path(name + ".db")
                self.open_all(*paths)
                self.assertFalse(self.fallen() & {"forest", "river", "road", "s_lot", "field"})

    def test_mods(self):
        self.its_turn("mods")
        game = self.unpack("dda-0I")
        ids = ["dda"]
        for name in sorted(os.listdir(os.path.join(game, "mods"))):
            info = os.path.join(game, "mods", name, "modinfo.json")
            if os.path.isfile(info) and name not in ALONE:
                with open(info, encoding="utf-8") as file:
                    ids.append(next(one["id"] for one in json.load(file)
                                    if one["type"] == "MOD_INFO"))
        self.write("mods.json", json.dumps(ids))
        self.open_all("--game", game, "--save", self.folder)
        self.assertEqual(self.fallen(), set())
        self.houses_have_walls()

    def of_today(self, game):
        self.its_turn(game)
        self.open_all("--game", self.unpack(game))
        self.assertEqual(self.fallen(), set(EXCEPTIONS.get(game, {})))
        self.houses_have_walls()

    def test_dda_0i(self):
        self.of_today("dda-0I")
        walls, theirs = self.walls(), self.walls_of_the_game()
        bare = {oter: (mean, walls.get(oter)) for oter, mean in theirs.items()
                if mean >= 24 and not walls.get(oter, 0) >= mean / 2}
        self.assertEqual(bare, {})
        ratio = sum(walls.get(oter, 0) for oter in theirs) / sum(theirs.values())
        self.assertTrue(0.9 < ratio < 1.1, ratio)

    def walls_of_the_game(self):
        """{oter: tiles of walls of its maps in the mean}, without those that are burnt down."""
        text = subprocess.run(["zstd", "-dc", os.path.join(SHARED, "reference", "dda-0I-maps",
                                                           "maps-a.jsonl.zst")],
                              check=True, capture_output=True, text=True).stdout.splitlines()
        names, found = json.loads(text[0])["tables"]["ter"], collections.defaultdict(list)
        for line in text[1:]:
            one = json.loads(line)
            tiles = [(names[number], length) for number, length in
                     zip(one["ter"][::2], one["ter"][1::2])]
            if not any("burnt" in (terrain or "") for terrain, _ in tiles):
                found[one["oter"]].append(sum(length for terrain, length in tiles
                                              if is_wall(terrain or "")))
        self.assertGreater(len(found), 400)
        return {oter: sum(counts) / len(counts) for oter, counts in found.items()}

    def test_dda_2026(self):
        self.of_today("dda-2026-08")

    def test_bright_nights(self):
        self.of_today("bn-2026-08")


if __name__ == "__main__":
    unittest.main()
