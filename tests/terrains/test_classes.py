"""What terrains are on maps (portolan/style.h), in our own pack and in four versions of the games."""

import collections
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from urllib.parse import urlencode

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, "cli"), os.path.join(TESTS, "server")]
from support import DDA, CommandTest  # noqa: E402
from test_serve import Server  # noqa: E402

SHARED = os.environ.get("PORTOLAN_SHARED", os.path.join(TESTS, "..", "..", "shared"))
TODAY = os.path.join(SHARED, "content", "today")

# Terrains that all games have, and what they are.
GAMES = {
    "open_air": "air", "empty_rock": "rock", "field": "field", "forest": "forest",
    "forest_thick": "thick_forest", "forest_water": "swamp", "special_forest": "forest", "special_field": "field",
    "river_center": "river", "river": "river", "river_ne": "river", "river_c_not_nw": "river",
    "lake_surface": "lake", "lake_shore": "shore", "lake_water_cube": "deep", "lake_bed": "deep",
    "road": "road", "road_nesw_manhole": "road", "bridge": "bridge", "bridge_road": "bridge",
    "bridgehead_ground": "bridge", "bridgehead_ramp": "bridge", "rural_road": "track", "forest_trail": "trail",
    "sewer": "sewer", "subway": "subway", "ants": "tunnel", "crater": "rough",
    "s_grocery": "building", "house_09": "building", "pool": "town_open", "park": "town_open",
    "emptyresidentiallot": "building", "radio_tower": "site", "trailhead": "site", "evac_center_13": "site"}
OLD = {"railroad": "rail", "railroad_bridge": "rail_bridge", "dirt_road_3way": "track", "lab": "site"}
NEW = {"ravine_edge": "rough", "solid_earth": "earth", "deep_rock": "rock", "lab_subway": "subway", "hw_road": "highway",
       "hw_road_bridge": "highway", "farmland_straight": "farm", "hayfield_straight": "farm", "stream": "stream",
       "stream_corner": "stream", "pond_field": "stream", "ocean_surface": "sea", "ocean_shore": "shore",
       "ocean_bed": "deep", "ocean_water_cube": "deep", "meadow_core": "field", "fema_road": "road"}
OWN = {"field": "field", "heath": "field", "forest": "forest", "forest_thick": "thick_forest",
       "forest_water": "swamp", "road": "road", "road_level_crossing": "road", "bridge": "bridge",
       "bridge_under": "bridge", "causeway": "bridge", "railroad": "rail", "railroad_bridge": "rail_bridge",
       "railroad_bridge_road": "rail_bridge", "forest_trail": "trail", "brook": "stream", "river_center": "river",
       "lake_surface": "lake", "lake_shore": "shore", "ocean_surface": "sea", "shoals_beach": "beach",
       "shoals_cliff": "rough", "shoals_island": "field", "wheat_field": "farm", "farmhouse": "site",
       "town_pond": "town_open", "park_lawn": "town_open", "bakery": "building", "cottage": "building",
       "windmill": "site", "sewer": "sewer", "ant_tunnel": "tunnel", "open_air": "air", "empty_rock": "rock"}
# Things of local maps, and what they are on maps; the own pack has most of the ids of the games.
TILES = {"t_wall": "wall", "t_brick_wall": "wall", "t_door_c": "door", "t_window": "window", "t_floor": "floor",
         "t_grass": "grass", "t_dirt": "soil", "t_sand": "sand", "t_pavement": "road", "t_sidewalk": "paved", "t_shrub": "shrub",
         "t_water_sh": "water", "t_water_dp": "deep", "t_rock": "rock", "t_fence": "fence", "t_open_air": "air", "t_lava": "hot",
         "f_bed": "furniture", "f_bookcase": "furniture"}
THEIR_TILES = {**TILES, "t_tree": "tree", "t_tree_young": "shrub", "t_wall_glass": "window", "t_door_o": "door",
               "t_door_metal_c": "door", "t_curtains": "window", "t_linoleum_white": "floor", "t_railing": "fence", "t_splitrail_fence": "fence", "f_indoor_plant": "shrub",
               "t_swater_dp": "deep", "t_concrete_wall": "wall", "t_pavement_y": "road", "t_tree_pine": "tree",
               "t_shingle_flat_roof": "roof", "tr_beartrap": "trap"}
CONTENTS = {"own": (None, OWN), "0.F": ("/usr/share/games/cataclysm-dda", {**GAMES, **OLD, "ravine_edge": "rough"}),
            "0.I": ("dda-0I", {**GAMES, **NEW}), "2026": ("dda-2026-08", {**GAMES, **NEW}),
            "BN": ("bn-2026-08", {**GAMES, **OLD, "stream": "stream", "dam": "bridge", "bridge_under": "bridge"})}


class Classes(CommandTest):
    maxDiff = None

    def classes(self):
        """The class of each terrain, as the page's palette has it."""
        with Server(self.file, "--port", str(20000 + os.getpid() % 20000)) as server:
            code, _, body = server.ask("/data/palette?" + urlencode({"world": "w"}))
            self.looks = json.loads(server.ask("/data/looks")[2])
        self.assertEqual(code, 200)
        answer = json.loads(body)
        names = [c["id"] for c in answer["classes"]]
        return {t[0]: names[t[6]] for t in answer["types"]}

    def tiles(self):
        """The class of each terrain, furniture and trap of local maps, which its colours on light paper tell."""
        with open(os.path.join(TESTS, "..", "src", "render", "paper_tiles.c"), encoding="utf-8") as file:
            table = re.findall(r'\{"(\w+)",\s*"[^"]*",\s*\{\{0x(\w{6}), 0x(\w{6})\}', file.read())
        self.assertEqual(len(table), 23)
        known = {(int(area, 16), int(ink, 16)): name for name, area, ink in table}
        self.assertEqual(len(known), len(table))
        return {row[1]: known[row[7], row[8]] for row in self.looks}

    def look(self, content, want):
        self.done("import", self.file, *(["--game", content, "--lenient"] if content else ["--builtin"]),
                  "--no-warnings")
        self.done("new", self.file, "w", "--seed", 7)
        self.done("generate", self.file, "--rect", "0,0,1,1", "-q")
        found = self.classes()
        self.assertEqual({t: found.get(t) for t in want}, want)
        tiles, want_tiles = self.tiles(), THEIR_TILES if content else TILES
        self.assertEqual({t: tiles.get(t) for t in want_tiles}, want_tiles)
        # What stands in a world is something: nothing on the ground is unknown, and hardly
        # anything elsewhere.
        counts = collections.Counter()
        table = self.done("query", self.file, "SELECT terrain, z, sum(omts) FROM terrain_count GROUP BY 1, 2",
                          "--format", "csv", "--no-header")
        for terrain, z, count in csv.reader(io.StringIO(table)):
            counts[found[terrain], z == "0"] += int(count)
        self.assertEqual(counts["other", True], 0)
        self.assertLessEqual(counts["other", False], 40)
        for name in ("field", "forest", "road", "building", "site", "trail"):
            self.assertGreater(counts[name, True], 0, name)
        self.assertEqual(counts["air", True] + counts["rock", True], 0)

    def test_own(self):
        self.look(*CONTENTS["own"])

    def test_debian(self):
        if not os.path.isdir(DDA):
            print("SKIPPED: classes of 0.F: Debian's cataclysm-dda-data is not installed")
            self.skipTest("no 0.F")
        self.look(*CONTENTS["0.F"])

    def test_today(self):
        if not os.path.isdir(TODAY):
            print("SKIPPED: classes of today's games: %s is not there" % TODAY)
            self.skipTest("no games")
        for name in ("0.I", "2026", "BN"):
            archive, want = CONTENTS[name]
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                subprocess.run(["tar", "--zstd", "-xf", os.path.join(TODAY, archive + ".tar.zst"), "-C", folder],
                               check=True)
                self.file = self.path(name + ".db")
                self.look(folder, want)


if __name__ == "__main__":
    unittest.main()
