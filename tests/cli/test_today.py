"""Today's games, as they are shipped: DDA 0.I with its mods, DDA and Bright Nights of August 2026.

Read from ../shared/content/today (or $PORTOLAN_SHARED), unpacked into a scratch folder. They import
strictly, to the numbers that were counted in the games' files by other means; worlds of them are
generated, verified and have cities with buildings; saves of 0.I go in and out. `why` is asked of
a quarter of the unique specials, by turns (PORTOLAN_TURN, tools/lib.sh); a short run
(PORTOLAN_QUICK) takes a third of the tests, by turns too. PORTOLAN_SOAK_TODAY=1: all, and each
mod of 0.I alone.
"""

import collections
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

from support import SOURCE, CommandTest, run
from test_into import age, snapshot
from test_into_today import frames, placed

SHARED = os.environ.get("PORTOLAN_SHARED") or os.path.join(SOURCE, "..", "shared")
TODAY = os.path.join(SHARED, "content", "today")
GAMES = ("dda-0I", "dda-2026-08", "bn-2026-08")
# Scenarios and the game's own tests, which no world has beside the others.
ALONE = ("dda", "TEST_DATA", "dda_tutorial")

# From the tables T0.2 and T12.1 of the reference "todays-games": counted by scripts in the JSON.
NUMBERS = {
    "dda-0I": {"objects": 52540, "terrain_objects": 1228, "types": 6268, "oters": 24217,
               "specials": 292, "mutable": 19, "buildings": 415, "locations": 61,
               "connections": 5, "map_extras": 65, "regions": 1, "checking": 115,
               "check_points": 152, "binomial": 8, "bounded": 0, "chance": 0, "houses": 178,
               "shops": 223, "parks": 51, "extras": 61, "weights": "7436 51045 2593",
               "entries": 452, "in_bins": 413, "empty": 2, "eligible": 250, "unique": 105,
               "mutable_eligible": 17, "most": 371, "least": 9, "need_city": 148, "once": 404},
    "dda-2026-08": {"objects": 57337, "terrain_objects": 1281, "types": 6465, "oters": 24933,
                    "specials": 316, "mutable": 30, "buildings": 414, "locations": 70,
                    "connections": 5, "map_extras": 80, "regions": 16, "checking": 97,
                    "check_points": 147, "binomial": 8, "bounded": 5, "chance": 0,
                    "houses": 177, "shops": 223, "parks": 51, "extras": 73,
                    "weights": "7386 51245 2593", "entries": 451, "in_bins": 412, "empty": 2,
                    "eligible": 236, "unique": 114, "mutable_eligible": 18, "most": 347,
                    "least": 13, "need_city": 136, "once": 414},
    # Bright Nights defines one building twice: 403 objects, 397 of them in a bin.
    "bn-2026-08": {"objects": 32703, "terrain_objects": 1985, "types": 5506, "oters": 21775,
                   "specials": 237, "mutable": 9, "buildings": 402, "locations": 49,
                   "connections": 5, "map_extras": 68, "regions": 3, "checking": 0,
                   "check_points": 0, "binomial": 0, "bounded": 0, "chance": 6, "houses": 169,
                   "shops": 188, "parks": 36, "extras": 64, "weights": "7710 40135 2940",
                   "entries": 631, "in_bins": 396, "empty": 0, "eligible": 226, "unique": 86,
                   "mutable_eligible": 7, "most": 495, "least": 1, "need_city": 121, "once": 315},
}
# The specials that region `default` admits, and those of them of which a world or an overmap has one.
ADMITTED = """ FROM overmap_special s WHERE kind = 'special' AND occurrences_max > 0 AND NOT EXISTS (
    SELECT 1 FROM special_flag f JOIN region_feature_flag r ON r.flag = f.flag
    WHERE f.special = s.id AND r.region = 'default' AND r.list = 'blacklist')"""
UNIQUE = """ EXISTS (SELECT 1 FROM special_flag u WHERE u.special = s.id AND u.flag IN
    ('UNIQUE', 'OVERMAP_UNIQUE', 'GLOBALLY_UNIQUE'))"""
WEIGHT = "(SELECT sum(weight) FROM region_building WHERE region = 'default' AND bin = '%s')"
SQL = {
    "objects": "SELECT p.object_count FROM content_pack p JOIN content c ON c.id = p.content_id "
               "WHERE c.is_current = 1 AND p.id = 'json'",
    "terrain_objects": "SELECT objects FROM content_type_count WHERE type = 'overmap_terrain'",
    "types": "SELECT count(*) FROM overmap_terrain",
    "oters": "SELECT count(*) FROM concrete_terrain",
    "specials": "SELECT count(*) FROM overmap_special WHERE kind = 'special'",
    "mutable": "SELECT count(*) FROM overmap_special WHERE kind = 'special' AND "
               "subtype = 'mutable'",
    "buildings": "SELECT count(*) FROM overmap_special WHERE kind = 'city_building'",
    "locations": "SELECT count(*) FROM overmap_location",
    "connections": "SELECT count(*) FROM overmap_connection",
    "map_extras": "SELECT count(*) FROM map_extra WHERE pack = (SELECT position FROM content_pack p "
                  "JOIN content c ON c.id = p.content_id WHERE c.is_current = 1 AND "
                  "p.id = 'json')",
    "regions": "SELECT count(*) FROM region_settings",
    "checking": "SELECT count(DISTINCT special) FROM special_check c JOIN overmap_special s "
                "ON s.id = c.special WHERE s.subtype = 'fixed'",
    "check_points": "SELECT count(*) FROM special_check c JOIN overmap_special s "
                    "ON s.id = c.special WHERE s.subtype = 'fixed'",
    "binomial": "SELECT count(*) FROM special_phase_rule WHERE max_kind = 'binomial'",
    "bounded": "SELECT count(*) FROM special_phase_rule WHERE max_least IS NOT NULL",
    "chance": "SELECT count(*) FROM special_phase_rule WHERE max_kind = 'chance'",
    "houses": "SELECT count(*) FROM region_building WHERE region = 'default' AND bin = 'houses'",
    "shops": "SELECT count(*) FROM region_building WHERE region = 'default' AND bin = 'shops'",
    "parks": "SELECT count(*) FROM region_building WHERE region = 'default' AND bin = 'parks'",
    "extras": "SELECT count(DISTINCT map_extra) FROM region_extra WHERE region = 'default' AND "
              "map_extra <> 'mx_null'",
    "weights": "SELECT %s || ' ' || %s || ' ' || %s" % tuple(
        WEIGHT % bin_ for bin_ in ("houses", "shops", "parks")),
    "entries": "SELECT count(*) FROM region_building b WHERE region = 'default' AND bin <> "
               "'trailheads' AND (EXISTS (SELECT 1 FROM overmap_special s WHERE s.id = b.id) OR "
               "EXISTS (SELECT 1 FROM overmap_terrain t WHERE t.id = b.id))",
    "in_bins": "SELECT count(DISTINCT b.id) FROM region_building b JOIN overmap_special s USING "
               "(id) WHERE region = 'default' AND bin <> 'trailheads' AND s.kind = "
               "'city_building'",
    "empty": "SELECT count(*) FROM overmap_special WHERE kind = 'special' AND subtype = 'fixed' "
             "AND id NOT IN (SELECT special FROM special_omt)",
    "eligible": "SELECT count(*)" + ADMITTED,
    "unique": "SELECT count(*)" + ADMITTED + " AND" + UNIQUE,
    "mutable_eligible": "SELECT count(*)" + ADMITTED + " AND subtype = 'mutable'",
    "most": "SELECT sum(occurrences_max)" + ADMITTED + " AND NOT" + UNIQUE,
    "least": "SELECT sum(occurrences_min)" + ADMITTED + " AND NOT" + UNIQUE,
    "need_city": "SELECT count(*)" + ADMITTED + " AND (city_sizes_min > 0 OR city_distance_max < "
                 "180)",
    # Tenths of an overmap's unique ones: the sum of their chances.
    "once": "SELECT cast(round(10.0 * sum(1.0 * occurrences_min / occurrences_max)) AS INTEGER)" +
            ADMITTED + " AND" + UNIQUE,
}
WORLDS = os.path.join(SHARED, "reference", "dda-0I-worlds")
PLAIN = "world-a.tar.zst"
PACKED = "zzip-sample.tar"
CITY_KEYS = ("name", "size")
# Version 33, which --format writes, has no frequency: it stays in table radio.
RADIO_KEYS = ("x", "y", "strength", "type", "message")
SIZE = 180
SOME = ["o.%d.%d" % (x, y) for x in (4, 5) for y in (2, 3)]
# Pairs of ids of before, terrains that are given up, specials, of these gone; levels of sight.
MIGRATIONS = {"dda-0I": (416, 75, 22, 7, 34), "dda-2026-08": (997, 175, 49, 15, 34),
              "bn-2026-08": (1589, 2, 0, 0, 0)}
FOR_PLAY = ("ITEM_CATEGORY", "MIGRATION", "camp_migration", "connect_group", "effect_on_condition",
            "faction", "gate", "json_flag", "mission_definition", "npc", "npc_class",
            "omt_placeholder", "pp_generator", "scenario", "start_location",
            "ter_furn_migration", "trap_migration", "vehicle", "vehicle_part_migration")
folder = None


def overmap(path):
    with open(path, encoding="utf-8") as file:
        header = file.readline()
        return int(header.split()[-1]), json.load(file)


def tiles(layer, now=None):
    """Runs of equal ids, joined; by what ids of before are now."""
    runs = []
    for tile, count in layer:
        tile = (now or {}).get(tile, tile)
        if runs and runs[-1][0] == tile:
            runs[-1][1] += count
        else:
            runs.append([tile, count])
    return runs


def cities(document):
    return [tuple(c.get("pos") or (c["x"], c["y"])) + tuple(c[key] for key in CITY_KEYS)
            for c in document["cities"]]


def radios(document):
    return [tuple(r.get(key) for key in RADIO_KEYS) for r in document["radios"]]


def groups(document):
    """(type, place, population) of all within the overmap."""
    return sorted((group["type"], tuple(place), group.get("population", 1))
                  for group, places in document["monster_groups"] for place in places
                  if all(0 <= n < 2 * SIZE for n in place[:2]))


def points(document):
    return {(entry["special"], *point["p"]) for entry in document["overmap_special_placements"]
            for placement in entry["placements"] for point in placement["points"]}


def instances(document):
    """How often each placement is there: its special, and the points of its number."""
    special_at = {point[1:]: point[0] for point in points(document)}
    found = collections.defaultdict(set)
    for place, number in document["mapgen_arg_index"]:
        found[number].add(tuple(place))
    return collections.Counter((special_at[min(places)], frozenset(places))
                               for places in found.values())


def spawns(document):
    return collections.Counter(
        (group["type"], group.get("population", 1), group.get("horde", False), *place)
        for group, places in document["monster_groups"] for place in places)


def joins(document):
    return {(*place, side, name) for (place, side), name in document["joins_used"]}


def before(document):
    """What tiles were before, where their terrain asks for it."""
    return {tuple(place): ids for place, ids in document["predecessors"]}


def one(key):
    return lambda document: document[key]


# Every key of 0.I's own files, and what is written in it: the same, by a function of the
# overmap; nothing in a list that is there; or not the key itself. Keys are joined by dots, [] is
# an element. Below those of FREE names are the content's, or for play.
EMPTY, ABSENT = "empty", "absent"
FREE = ("camps", "npcs", "monster_map", "mapgen_arg_storage", "connections_out")
KEYS = {
    "layers": lambda d: [tiles(layer, MIGRATED) for layer in d["layers"]],
    "region_id": one("region_id"),
    "monster_groups": spawns, "monster_groups[][].type": spawns,
    "monster_groups[][].population": spawns, "monster_groups[][].horde": spawns,
    "monster_groups[][].target": ABSENT,  # where a horde is going to
    "cities": one("cities"), "cities[].name": cities, "cities[].pos": cities, "cities[].size": cities,
    "cities[].pos_om": one("cities"), "cities[].id": one("cities"),
    "cities[].database_id": one("cities"), "cities[].population": one("cities"),
    "city_tiles": EMPTY,
    "rivers": EMPTY, "rivers[].entry": ABSENT, "rivers[].exit": ABSENT, "rivers[].size": ABSENT,
    "rivers[].control1": ABSENT, "rivers[].control2": ABSENT,
    "connections_out": lambda d: type(d["connections_out"]),  # by tiles: test_exchange
    "radios": one("radios"), "radios[].x": radios, "radios[].y": radios,
    "radios[].strength": radios, "radios[].type": radios, "radios[].message": radios,
    "radios[].frequency": one("radios"),
    "monster_map": EMPTY,
    "tracked_vehicles": EMPTY, "tracked_vehicles[].id": ABSENT, "tracked_vehicles[].name": ABSENT,
    "tracked_vehicles[].x": ABSENT, "tracked_vehicles[].y": ABSENT,
    "scent_traces": EMPTY, "scent_traces[].pos": ABSENT, "scent_traces[].time": ABSENT,
    "scent_traces[].strength": ABSENT,
    "npcs": EMPTY, "camps": EMPTY,
    "overmap_special_placements": points, "overmap_special_placements[].special": points,
    "overmap_special_placements[].placements": points,
    "overmap_special_placements[].placements[].points": points,
    "overmap_special_placements[].placements[].points[].p": points,
    # null for each placement, also where the game has chosen already.
    "mapgen_arg_storage": lambda d: len(set(n for _, n in d["mapgen_arg_index"])),
    "mapgen_arg_index": instances,
    "omt_stack_arguments_map": EMPTY,
    "joins_used": joins,
    "predecessors": before,
}
MIGRATED = {}
TURN = int(os.environ.get("PORTOLAN_TURN", 0))


def holds_more(value):
    """There may be keys in it: a run of tiles has none, and an overmap has ten thousands."""
    return isinstance(value, dict) or (isinstance(value, list) and value and isinstance(value[0], (dict, list)))


def keys(value, at="", found=None):
    """The keys of an overmap, each as in KEYS."""
    found = set() if found is None else found
    if isinstance(value, dict):
        for key, member in value.items():
            name = at + "." + key if at else key
            found.add(name)
            if name not in FREE and holds_more(member):
                keys(member, name, found)
    elif holds_more(value):
        at += "[]"
        for element in value:
            if holds_more(element):
                keys(element, at, found)
    return found


def load_tests(_loader, suites, _pattern):
    """A short run takes a third, by turns; unittest calls this."""
    tests = [test for suite in suites for test in suite]
    if "PORTOLAN_QUICK" in os.environ and "PORTOLAN_SOAK_TODAY" not in os.environ:
        print("LEFT OUT: cli_today runs a third of its tests, those of turn %d" % (TURN % 3))
        tests = tests[TURN % 3::3]
    return unittest.TestSuite(tests)


def setUpModule():
    global folder
    if not os.path.isdir(TODAY):
        print("SKIPPED: today's games: %s is not there" % TODAY)
        if os.environ.get("CI") == "true" and os.path.isdir(SHARED):
            raise RuntimeError("CI has ../shared, but not today's games")
        raise unittest.SkipTest("no games")
    folder = tempfile.mkdtemp()
    unittest.addModuleCleanup(shutil.rmtree, folder)
    for game in GAMES:
        os.mkdir(os.path.join(folder, game))
        subprocess.run(["tar", "--zstd", "-xf", os.path.join(TODAY, game + ".tar.zst"), "-C",
                        os.path.join(folder, game)], check=True)


def mods():
    place = os.path.join(folder, "dda-0I", "mods")
    return {name: os.path.join(place, name) for name in sorted(os.listdir(place))
            if os.path.isfile(os.path.join(place, name, "modinfo.json"))}


class Today(CommandTest):
    def take(self, *content):
        """Imports; nothing may be wrong, nor be a warning that is an error in disguise."""
        told = run("import", self.file, *content, "--no-warnings")
        self.assertEqual(told.returncode, 0, told.stderr[:2000])

    def number(self, sql):
        return int(self.done("query", self.file, sql, "--format", "csv", "--no-header"))

    def text(self, sql):
        return self.done("query", self.file, sql, "--format", "csv", "--no-header").strip()

    def game(self, name):
        told = self.json("import", self.file, "--game", os.path.join(folder, name),
                         "--no-warnings", "--json")
        self.assertEqual({key: self.text(sql).strip('"') if key == "weights" else self.number(sql)
                          for key, sql in SQL.items()}, NUMBERS[name])
        self.assertEqual(self.number("SELECT count(*) FROM overmap_terrain WHERE symbol = 0 AND "
                                     "kind <> 2 AND id <> ''"), 0)
        # Of class K in T11.4, the ones that no table has: what only play needs is kept.
        self.assertEqual(self.text("SELECT group_concat(type) FROM content_type_count WHERE "
                                   "treatment = 'skipped' AND type IN ('%s')" %
                                   "','".join(FOR_PLAY)).strip('"'), "")
        self.assertEqual(self.text("SELECT game || ' ' || placement FROM content_game"),
                         "bn quota" if name.startswith("bn") else "dda sectors")
        self.assertEqual((told["oter_migrations"], self.number(
            "SELECT count(*) FROM oter_migration WHERE new_id = 'omt_obsolete'"),
            told["special_migrations"], self.number(
                "SELECT count(*) FROM special_migration WHERE new_id IS NULL"),
            told["oter_visions"]), MIGRATIONS[name])
        self.done("new", self.file, "w", "--seed", "7")
        self.done("generate", self.file, "--rect", "0,0,1,1", "-q")
        self.assertIn(": 0 problems", self.done("verify", self.file, "--seams"))
        cities = self.number("SELECT count(*) FROM city")
        self.assertGreater(cities, 8)
        self.assertGreater(self.number("SELECT count(*) FROM building WHERE city IS NOT NULL"),
                           20 * cities)
        self.assertGreater(self.number("SELECT count(*) FROM special_placement"), 300)
        # Each tile opens: what content asks for is within what is ever made of one map.
        for level in "0", "-1":
            self.assertIn(" 19600 local maps, ", self.done(
                "digest", self.file, "--local", "--omt", "4,180,143,319", "--levels", level))

    def test_dda_0i(self):
        self.game("dda-0I")
        self.assertEqual(self.number("SELECT count(*) FROM overmap_terrain WHERE see_cost_name "
                                     "IS NULL AND see_cost <> 0"), 0)
        # Names of towns are the game's; its options are its region's numbers.
        self.assertEqual(self.number("SELECT count(*) FROM city WHERE name LIKE 'City %'"), 0)
        self.assertEqual(self.text("SELECT group_concat(name || '=' || value) FROM "
                                   "region_number"),
                         '"forest_threshold_increase_north=0.04,forest_threshold_increase_west='
                         '0.02,ocean_start_east=10.0,ocean_start_north=500.0,'
                         'ocean_start_west=1000.0,place_oceans=1.0,'
                         'river_branch_remerge_chance=2.0,river_frequency=1.5,'
                         'urbanity_increase_east=10.0,urbanity_increase_south=5.0"')

    def test_dda_2026(self):
        self.game("dda-2026-08")
        self.assertEqual(self.number("SELECT count(DISTINCT see_cost_name) FROM overmap_terrain"),
                         8)
        self.assertEqual(self.number("SELECT count(*) FROM dimension"), 15)
        self.assertEqual(self.text("SELECT region FROM dimension WHERE id = 'abyss'"),
                         "nether_abyss")
        self.unique_ones()

    def unique_ones(self):
        """What the rule does not ask for as often as it likes, and `why` says how it comes."""
        self.done("new", self.file, "once", "--seed", "5", "--unique-radius", "1")
        why = ("why", self.file, "--world", "once")

        part = 1 if "PORTOLAN_SOAK_TODAY" in os.environ else 4
        turn = TURN % part
        print("LEFT OUT: cli_today asks why of 1 in %d unique specials, those of turn %d" % (part, turn))

        def asked(special, place):
            return self.json(*why, special, "--chunk", place, "--json")

        def flagged(flag, kind):
            return [row["special"] for row in self.json(
                "query", self.file, "SELECT f.special FROM special_flag f JOIN overmap_special s "
                "ON s.id = f.special WHERE f.flag = '%s' AND s.kind = '%s' ORDER BY 1" % (flag, kind),
                "--format", "json")][turn::part]
        self.done("generate", self.file, "--world", "once", "--rect", "-1,-1,1,1", "-q")
        stand = {row["id"]: row["n"] for row in self.json(
            "query", self.file, "SELECT id, count(*) AS n FROM placement WHERE world = 'once' "
            "GROUP BY id", "--format", "json")}
        for kind in "special", "city_building":
            for special in flagged("GLOBALLY_UNIQUE", kind):
                home = "%d,%d" % tuple(asked(special, "9,9")["home"])
                there = asked(special, home)
                self.assertEqual(there["placed"] + there["others"], stand.get(special, 0), there)
                self.assertLess(stand.get(special, 0), 2)
                if kind == "special":
                    self.assertEqual(there["roll"], "sure")
                    self.assertEqual(there["placed"] == 0 and there["asked"] > 0,
                                     there["dropped"] == "rule")
                elif there["ways"] and not there["others"]:
                    self.assertIn(there["dropped"], ("city", "no city"))
        for special in flagged("CITY_UNIQUE", "city_building"):
            self.assertIn("limited", asked(special, "0,0")["ways"])
            self.assertIn("A city has at most one.", self.done(*why, special, "--chunk", "0,0"))
            self.assertEqual(self.number(
                "SELECT count(*) FROM (SELECT 1 FROM building WHERE id = '%s' GROUP BY world, "
                "chunk_x, chunk_y, city HAVING count(*) > 1)" % special), 0)
        for special, way in (("Highway Clover Leaf", "four way"), ("Highway Bend", "highway bend"),
                             ("Highway Trumpet Interchange", "three way"),
                             ("Highway Fallback Onramp", "highway end"),
                             ("highway_segment_ramp", "highway road"),
                             ("Highway Diamond Interchange", "interchange")):
            self.assertIn(way, asked(special, "0,0")["ways"])
        self.done("new", self.file, "none", "--seed", "5", "--highways", "off")
        self.assertIn("This world has no highways", self.done(
            "why", self.file, "Highway Bend", "--world", "none", "--chunk", "0,0"))

    def test_bright_nights(self):
        self.game("bn-2026-08")
        self.assertEqual(self.number("SELECT count(*) FROM dimension WHERE kind = 'world_type'"),
                         3)

    def test_all_mods_together(self):
        """By their ids, as a save lists them."""
        chosen = [name for name in mods() if name not in ALONE]
        self.assertEqual(len(chosen), 39)
        ids = []
        for name in chosen:
            with open(os.path.join(mods()[name], "modinfo.json"), encoding="utf-8") as file:
                ids.append(next(one["id"] for one in json.load(file)
                                if one["type"] == "MOD_INFO"))
        self.write("mods.json", json.dumps(["dda"] + ids))
        self.take("--game", os.path.join(folder, "dda-0I"), "--save", self.folder)
        self.assertEqual(set(ids), set(self.text(
            "SELECT id FROM content_pack WHERE position > 2 AND id NOT LIKE '%/mod_inter%'"
        ).split()))
        # Behind the mods: what they have for each other, of those that are there.
        first = self.number("SELECT min(position) FROM content_pack WHERE id LIKE '%/mod_inter%'")
        self.assertEqual(first, len(chosen) + 3)
        self.assertEqual(self.number("SELECT count(*) FROM content_pack") - first,
                         self.number("SELECT count(*) FROM content_pack WHERE id LIKE "
                                     "'%/mod_inter%'"))
        # The last option of a name is the one that counts: a mod's.
        self.assertEqual(self.number("SELECT count(*) FROM external_option WHERE pack > 2") > 20,
                         True)

    @unittest.skipUnless("PORTOLAN_SOAK_TODAY" in os.environ, "each mod alone: tools/soak")
    def test_each_mod_alone(self):
        for name, path in mods().items():
            with self.subTest(mod=name):
                if name != "dda":
                    self.take(os.path.join(folder, "dda-0I", "json"), path)
                    self.healthy_world(name)

    def healthy_world(self, name):
        """A new world is no damaged one, and what repair calls mended verify does."""
        self.done("new", self.file, name, "--seed", "7")
        self.done("generate", self.file, "--world", name, "--rect", "0,0,1,1", "-q")
        self.assertIn(": 0 problems", self.done("verify", self.file, "--world", name, "--seams"))
        with sqlite3.connect(self.file) as file:
            file.execute("UPDATE level SET omts = zeroblob(length(omts)) WHERE id / 32 = (SELECT "
                         "max(id) FROM chunk) AND omts IS NOT NULL")
        self.done("repair", self.file)
        self.assertIn(": 0 problems", self.done("verify", self.file))

    def test_worlds_of_mods_are_healthy(self):
        """Rails of the mod railroads lie over buildings, which its content lets them."""
        for name in "railroads", "Xedra_Evolved":
            with self.subTest(mod=name):
                self.take("--game", os.path.join(folder, "dda-0I"), "--mods",
                          "railroads" if name == "railroads" else "xedra_evolved")
                self.healthy_world(name)
                if name == "railroads":
                    self.assertGreater(self.number(
                        "SELECT count(*) FROM building b JOIN omt t ON t.world = b.world AND "
                        "t.x = b.x AND t.y = b.y AND t.z = 0 WHERE b.world = 'railroads' AND "
                        "t.oter GLOB 'railroad*'"), 0)

    def test_fixed_cities(self):
        """The mod MA: 351 cities, each once, where it stands; and no others."""
        told = run("import", self.file, "--game", os.path.join(folder, "dda-0I"), "--mods", "MA",
                   "--verbose")
        self.assertEqual(told.returncode, 0, told.stderr[:2000])
        self.assertRegex(told.stderr, "OVERMAP_PREGENERATED_PATH: warning: .*'MA/MA_overmap'")
        with open(os.path.join(mods()["MA"], "cities.json"), encoding="utf-8") as file:
            cities = json.load(file)
        self.assertEqual(len(cities), 351)
        self.assertEqual(
            {tuple(row.values()) for row in self.json(
                "query", self.file, "SELECT id, database_id, name, population, overmap_x, "
                "overmap_y, x, y, size FROM fixed_city", "--format", "json")},
            {(c["id"], c["database_id"], c["name"], c["population"], *c["pos_om"], *c["pos"],
              c["size"]) for c in cities})
        # Some beside each other, with borders in cities, and all around one.
        places = {tuple(c["pos_om"]) for c in cities if c["pos_om"][1] < 12 or
                  not {0, 179}.isdisjoint(c["pos"])}
        places |= {(45, 14), (28, 17), (28, 19), (27, 18), (29, 18)}
        self.write("places.txt", "".join("%d,%d\n" % place for place in places))
        self.done("new", self.file, "w", "--seed", "3")
        self.done("generate", self.file, "--list", self.path("places.txt"), "-q")
        self.assertEqual(
            sorted(tuple(row.values()) for row in self.json(
                "query", self.file, "SELECT name, chunk_x, chunk_y, x - 180 * chunk_x AS cx, "
                "y - 180 * chunk_y AS cy, size FROM v_city", "--format", "json")),
            sorted((c["name"], *c["pos_om"], *c["pos"], c["size"]) for c in cities
                   if tuple(c["pos_om"]) in places))
        self.assertEqual(len(re.findall(": 0 problems", self.done(
            "verify", self.file, "--seams"))), 2)

    def test_megacity(self):
        """Five in each overmap; a member that nothing reads is told, of a part, too."""
        os.mkdir(self.path("mega"))
        self.write("mega/modinfo.json", json.dumps(
            [{"type": "MOD_INFO", "id": "mega", "name": "m", "dependencies": ["dda"]}]))
        self.write("mega/region.json", json.dumps([
            {"type": "region_settings_city", "id": "default", "copy-from": "default",
             "is_megacity": True, "shop_raduis": 5}]))
        self.take(os.path.join(folder, "dda-2026-08", "json"), self.path("mega"))
        self.assertRegex(self.done("status", self.file, "--unknown"),
                         r"region_settings_city +shop_raduis +1")
        self.done("new", self.file, "w", "--seed", "5")
        self.done("generate", self.file, "--rect", "0,-1,2,0", "-q")
        self.assertEqual(self.number("SELECT count(*) FROM v_city WHERE size = 40"), 30)
        self.assertEqual(self.text(
            "SELECT DISTINCT count(*) || ' ' || sum(planned_x - 180 * chunk_x) || ' ' || "
            "sum(planned_y - 180 * chunk_y) FROM v_city GROUP BY chunk_x, chunk_y").strip('"'),
            "5 450 450")
        self.assertEqual(len(re.findall(": 0 problems", self.done(
            "verify", self.file, "--seams"))), 2)


class Saves(CommandTest):
    """Of DDA 0.I (version 36): three overmaps in their own compressed files, and some of the plain
    ones, which the game itself made. What is kept comes out as it was; what is generated beside
    them has no seams. PORTOLAN_SOAK_SAVES=1: all 100 of them."""

    made = None  # what each test has a copy of: the two saves, and a file with the content

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not os.path.exists(WORLDS):
            assert os.environ.get("CI") != "true", "missing in CI: %s" % WORLDS
            raise unittest.SkipTest("no overmaps of DDA 0.I")
        cls.made = tempfile.mkdtemp(dir=folder)
        cls.unpack(os.path.join(WORLDS, PACKED), "packed")
        cls.unpack(os.path.join(WORLDS, PLAIN), "plain")
        told = run("import", os.path.join(cls.made, "w.db"), os.path.join(folder, "dda-0I", "json"), "--no-warnings")
        assert told.returncode == 0, told.stderr[:2000]

    @classmethod
    def unpack(cls, archive, name):
        place = os.path.join(cls.made, name)
        os.mkdir(place)
        reader = "zstd -dcq --long=27" if archive.endswith(".zst") else "cat"
        subprocess.run("%s '%s' | tar -x -C '%s'" % (reader, archive, place), shell=True, check=True)

    def setUp(self):
        super().setUp()
        shutil.copyfile(os.path.join(self.made, "w.db"), self.file)
        shutil.copytree(os.path.join(self.made, "packed"), self.path("packed"))
        # Of these some are removed, and none is written to.
        shutil.copytree(os.path.join(self.made, "plain"), self.path("plain"), copy_function=os.link)

    def like_a_save(self):
        save = self.path("packed")
        for name, text in (("worldoptions.json", "[]"), ("mods.json", '["dda"]'),
                           ("master.gsav", "# version 36\n{}"), ("Sm8=.sav.zzip", "")):
            self.write(os.path.join(save, name), text)
        age(save)
        return save

    def put_into(self, world):
        """A save like the game's, with the overmaps of ours that `packed` has taken; undone after
        they were read."""
        save = self.like_a_save()
        before = snapshot(save)
        self.done("export", self.file, "--into", save, "-q", "--world", world)
        found = {}
        for name in os.listdir(os.path.join(save, "overmaps")):
            with open(os.path.join(save, "overmaps", name), "rb") as file:
                frame = frames(file.read())[3][1]
            text = subprocess.run(["zstd", "-dcq", "-D", os.path.join(save, "overmaps.dict")],
                                  input=frame, capture_output=True, check=True).stdout.decode()
            self.assertTrue(text.startswith("# version 36\n"))
            found[name] = json.loads(text.split("\n", 1)[1])
        self.done("export", "--undo", save, "-q")
        self.assertEqual(snapshot(save), before)
        return found

    def come_out_as_they_were(self, world, names):
        out = self.path("out-" + world)
        self.done("export", self.file, out, "--format", "dda-save", "-q", "--world", world)
        put = self.put_into(world)
        lost = found = 0
        # Even 0.I migrates a terrain or two that it still makes.
        now = {row["old_id"]: row["final_id"] for row in self.json(
            "query", self.file, "SELECT old_id, final_id FROM oter_migration", "--format", "json")}
        for name in names:
            version, theirs = overmap(os.path.join(self.path("plain"), name))
            ours = overmap(os.path.join(out, name))[1]
            self.assertEqual(version, 36)
            for z, (a, b) in enumerate(zip(theirs["layers"], ours["layers"])):
                self.assertEqual(tiles(a, now), tiles(b), (name, z))
            for part in cities, radios, groups:
                self.assertEqual(part(theirs), part(ours), name)
            self.assertLessEqual(points(ours), points(theirs), name)
            # In the version that the save has: the same, and what only that has of what is kept.
            again = put[name + ".zzip"]
            self.assertEqual(list(again), list(theirs))
            for part in "cities", "radios", "region_id":
                self.assertEqual(again[part], theirs[part], (name, part))
            self.assertEqual((again["layers"], groups(again), points(again)),
                             (ours["layers"], groups(theirs), points(ours)))
            found += len(points(ours))
            lost += len(points(theirs) - points(ours))
        self.assertGreater(found, 1000)
        return lost

    def test_compressed_files(self):
        self.done("new", self.file, "a", "--seed", "3")
        told = self.done("import-save", self.file, self.path("packed"))
        self.assertRegex(told, r"^3 overmaps imported .* 11 edges: 20 cities, .* 10 radios")
        self.assertNotIn("can't be told apart", told)
        self.assertRegex(told, r"\d+ entries of what Portolan does not keep were left out")
        lost = self.come_out_as_they_were("a", ["o.0.0", "o.1.0", "o.13.2"])
        self.assertEqual(lost, 0)
        heard = sorted(int(line) for line in self.done(
            "query", self.file, "SELECT frequency FROM radio", "--format", "csv",
            "--no-header").split())
        self.assertEqual(heard, sorted(
            radio["frequency"] for name in ("o.0.0", "o.1.0", "o.13.2")
            for radio in overmap(os.path.join(self.path("plain"), name))[1]["radios"]))
        # The folder of the overmaps itself does, too; its dictionary lies beside it.
        self.done("new", self.file, "b", "--seed", "3")
        self.done("import-save", self.file, self.path("packed/overmaps"), "--world", "b")
        digests = [self.done("digest", self.file, "--world", name).split()[0] for name in "ab"]
        self.assertEqual(digests[0], digests[1])

    def test_every_key(self):
        """A key that is not in the table, here or there; one that is written otherwise."""
        documents, found = {}, set()
        for name in os.listdir(self.path("plain")):
            if name.startswith("o."):
                document = overmap(os.path.join(self.path("plain"), name))[1]
                keys(document, found=found)
                if name in SOME:
                    documents[name] = document
                else:
                    os.remove(os.path.join(self.path("plain"), name))
        self.assertEqual(found, set(KEYS))
        MIGRATED.update((row["old_id"], row["final_id"]) for row in self.json(
            "query", self.file, "SELECT old_id, final_id FROM oter_migration", "--format", "json"))
        asking = {row["id"] for row in self.json(
            "query", self.file, "SELECT c.id FROM concrete_terrain c JOIN overmap_terrain_flag f "
            "ON f.terrain = c.terrain WHERE f.flag = 'REQUIRES_PREDECESSOR'", "--format", "json")}
        self.done("new", self.file, "a", "--seed", "3")
        told = self.done("import-save", self.file, self.path("plain"))
        self.assertNotIn("can't be told apart", told)
        put = self.put_into("a")
        for name in SOME:
            theirs, ours = documents[name], put[name + ".zzip"]
            self.assertEqual(list(ours), list(theirs))
            self.assertLessEqual(keys(ours), set(KEYS))
            self.assertEqual(ours["mapgen_arg_storage"], [None] * len(instances(ours)))
            self.keep_what_asks(theirs, asking)
            for key, how in KEYS.items():
                if how == EMPTY:
                    self.assertEqual(ours[key], [], (name, key))
                elif how == ABSENT:
                    self.assertNotIn(key, keys(ours), name)
                else:
                    self.assertEqual(how(ours), how(theirs), (name, key))

    def test_placements_of_our_own(self):
        """Fixed, mutable and unique ones and buildings come back over many chunks."""
        self.done("new", self.file, "a", "--seed", "5")
        self.done("generate", self.file, "--rect", "-1,-1,2,1", "-q")
        save = self.like_a_save()
        self.done("export", self.file, "--into", save, "-q")
        self.done("new", self.file, "b", "--seed", "6")
        self.done("import-save", self.file, save, "--world", "b", "-q")
        ours, again = placed(self, "a"), placed(self, "b")
        for kind, least in (("building", 5000), ("special", 1000), ("piece", 9000), ("join", 9000)):
            self.assertGreater(len(ours[kind]), least)
            if kind == "piece":  # a later special may have covered one
                self.assertLessEqual(set(again[kind]), set(ours[kind]))
                self.assertLess(len(ours[kind]) - len(again[kind]), len(ours[kind]) // 1000)
            else:
                self.assertEqual(ours[kind], again[kind])
        for world in "ab":
            self.assertGreater(int(self.done("query", self.file, """
                SELECT count(*) FROM v_special s JOIN special_flag f ON f.special = s.special
                WHERE s.world = '%s' AND f.flag = 'GLOBALLY_UNIQUE'""" % world, "--format", "csv",
                                             "--no-header")), 2)

    def keep_what_asks(self, document, asking):
        """What other tiles were before is not kept."""
        cells = [[tile for tile, count in layer for _ in range(count)]
                 for layer in document["layers"]]
        document["predecessors"] = [
            [place, ids] for place, ids in document["predecessors"]
            if cells[place[2] + 10][place[1] * SIZE + place[0]] in asking]

    def test_damaged_files(self):
        self.done("new", self.file, "a", "--seed", "3")
        save = self.path("packed")
        name = os.path.join(save, "overmaps", "o.1.0.zzip")
        with open(name, "rb") as file:
            whole = file.read()
        for size, says in ((100000, "not a whole .zzip file"), (3, "not a whole .zzip file"),
                           (len(whole) - 1, "its index is not there")):
            with open(name, "wb") as file:
                file.write(whole[:size])
            self.failed(1, r"o\.1\.0\.zzip: .*%s" % says, "import-save", self.file, save)
        with open(name, "wb") as file:
            file.write(whole)
        with open(os.path.join(save, "overmaps.dict"), "r+b") as file:
            file.write(b"no dictionary")
        self.failed(1, "dictionary", "import-save", self.file, save)
        os.remove(os.path.join(save, "overmaps.dict"))
        self.failed(1, r"needs its dictionary, which is not there: overmaps\.dict", "import-save",
                    self.file, save)
        shutil.copy(os.path.join(self.path("plain"), "o.1.0"), os.path.join(save, "overmaps"))
        self.failed(1, r"both o\.1\.0 and o\.1\.0\.zzip are there", "import-save", self.file,
                    save)
        self.assertEqual(self.done("query", self.file, "SELECT count(*) FROM chunk", "--format",
                                   "csv", "--no-header").strip(), "0")

    def test_generation_goes_on_around_them(self):
        whole = "PORTOLAN_SOAK_SAVES" in os.environ
        names = [name for name in os.listdir(self.path("plain")) if name.startswith("o.")]
        self.assertEqual(len(names), 100)
        if not whole:
            for name in set(names) - set(SOME):
                os.remove(os.path.join(self.path("plain"), name))
            names = SOME
        self.done("new", self.file, "a", "--seed", "3")
        told = self.done("import-save", self.file, self.path("plain"))
        self.assertRegex(told, r"^%d overmaps imported " % len(names))
        if whole:
            self.assertRegex(told, r"235 edges: 1851 cities, .* 415 radios")
        places = {tuple(map(int, name.split(".")[1:])) for name in names}
        beside = {(x + dx, y + dy) for x, y in places
                  for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))} - places
        self.done("generate", self.file, "-q", "--list", "-",
                  stdin="".join("%d,%d\n" % place for place in sorted(beside)))
        told = self.done("verify", self.file, "--seams")
        self.assertRegex(told, r"seams of %d chunks \(0 unfinished\), .*: 0 problems"
                         % len(beside | places))
        self.come_out_as_they_were("a", names)


if __name__ == "__main__":
    unittest.main()
