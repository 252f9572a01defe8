"""Worlds of today's games against what their content asks for: section T12.2 of the reference
"todays-games", 1 to 7.

Without PORTOLAN_SOAK_CHECKLIST six overmaps of one content, by turns (PORTOLAN_TURN, tools/lib.sh). With it, so
many overmaps (of about a square around the origin) of each of the three; from 1,000 on what is not
there must be what EXCEPTIONS says, reason by reason.
"""

import collections
import csv
import io
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "cli"))
from support import COMMAND, SOURCE, CommandTest  # noqa: E402

SHARED = os.environ.get("PORTOLAN_SHARED") or os.path.join(SOURCE, "..", "shared")
TODAY = os.path.join(SHARED, "content", "today")
GAMES = ("dda-0I", "dda-2026-08", "bn-2026-08")
OVERMAPS = int(os.environ.get("PORTOLAN_SOAK_CHECKLIST", "0"))
SEED = 11
FEW = 5 if OVERMAPS else 20  # what is expected less often need not be there
LIMIT = 240 + 4 * OVERMAPS  # seconds that one command may take, on a loaded machine too

# Of the world of 1,024 overmaps: the specials that it has none of, by reason (see `reason`).
AWAY = "once: not asked for at home"
FAR = "once: no city at home"
EXCEPTIONS = {
    "dda-0I": {
        "2fMotel": "rarely fits",  # the game's own 100 overmaps have none either
        "Alcatraz Prison": FAR, "Occupied Homeless Camp": FAR, "Island prison": AWAY,
        "aircraft_carrier": AWAY, "mil_base": "once: no ground at home",
        # Nothing makes highways there.
        "Highway Diamond Interchange": "no ground anywhere",
        "Highway Rest Area Parking": "no ground anywhere"},
    "dda-2026-08": {
        "2fMotel": "rarely fits", "limnological_station": "never comes up",
        "Alcatraz Prison": FAR, "Occupied Homeless Camp": FAR,
        "Radio_Tower_Reverberation_mp3": FAR, "cemetery_lacroix": FAR,
        "nuclear power plant": FAR, "Island prison": AWAY, "aircraft_carrier": AWAY,
        "xedra_fishing_shack": AWAY, "mil_base": "once: no ground at home"},
    "bn-2026-08": dict(
        {"Necropolis": AWAY, "Occupied Chem Lab": AWAY, "St_Johns_farm": AWAY,
         "aircraft_carrier": AWAY},
        # Their occurrences are 0 in 1.
        **{"pros_ore_vein_" + ore: "never comes up" for ore in
           "banded_iron bronzium chalcopyrite copper coppin electrumite galena galenau gold iron "
           "lead silver tetrahedrite tin".split()}),
}

ELIGIBLE = """
WITH a AS (SELECT special, sum(asked) AS asked, sum(ground) AS ground, sum(linked) AS linked,
                  sum(city) AS city, sum(room) AS room, sum(failed) AS failed
           FROM attempt GROUP BY special)
SELECT s.id, s.occurrences_min, s.occurrences_max,
       coalesce((SELECT group_concat(flag, ' ') FROM special_flag WHERE special = s.id), ''),
       coalesce(asked, 0), coalesce(ground, 0), coalesce(linked, 0), coalesce(a.city, 0),
       coalesce(room, 0), coalesce(failed, 0)
FROM overmap_special s LEFT JOIN a ON a.special = s.id
WHERE kind = 'special' AND occurrences_max > 0
  AND s.id NOT IN (SELECT id FROM placement WHERE kind = 'special')
  AND NOT EXISTS (SELECT 1 FROM special_flag f JOIN region_feature_flag r ON r.flag = f.flag
                  WHERE f.special = s.id AND r.region = 'default' AND r.list = 'blacklist')
"""
# Entries of the bins that nothing was placed of, with what is expected by their weights alone.
BINS = """
WITH n AS (SELECT id, count(*) AS n FROM placement WHERE city IS NOT NULL GROUP BY id),
     e AS (SELECT bin, weight, CASE kind WHEN 'terrain' THEN 'FakeSpecial_' || id ELSE id END AS id
           FROM region_building
           WHERE region = 'default' AND weight > 0 AND bin <> 'trailheads'),
     sums AS (SELECT bin, sum(weight) AS weight, sum(n) AS n FROM e LEFT JOIN n USING (id)
              GROUP BY bin)
SELECT e.bin, e.id, 1.0 * e.weight / sums.weight * sums.n,
       coalesce(s.city_sizes_min, 0), coalesce(s.city_sizes_max, 1000),
       coalesce((SELECT group_concat(flag, ' ') FROM special_flag WHERE special = s.id), ''),
       (SELECT count(*) FROM special_omt WHERE special = e.id AND z = 0)
FROM e JOIN sums USING (bin) LEFT JOIN overmap_special s ON s.id = e.id
WHERE e.id NOT IN (SELECT id FROM n) AND sums.n > 0
"""
NEVER_THERE = """
SELECT coalesce(sum(omts), 0) FROM terrain_count
WHERE terrain IN (SELECT terrain FROM overmap_terrain_flag
                  WHERE flag IN ('HIGHWAY_RESERVED', 'SHOULD_NOT_SPAWN'))
"""
TWICE_IN_A_CITY = """
SELECT count(*) FROM (
    SELECT 1 FROM placement JOIN special_flag ON special = id AND flag = 'CITY_UNIQUE'
    WHERE city IS NOT NULL GROUP BY world, chunk_x, chunk_y, city, id HAVING count(*) > 1)
"""
# By place: the cities without a building, and the events that say so. A special of the bins, such
# as Bright Nights' Pond, is one where it stands within the city; elsewhere a rule placed it.
EMPTY_CITIES = """
SELECT world, x, y FROM v_city AS c WHERE NOT EXISTS (
    SELECT 1 FROM building AS b WHERE b.world = c.world AND b.chunk_x = c.chunk_x AND
    b.chunk_y = c.chunk_y AND b.city = c.number) AND NOT EXISTS (
    SELECT 1 FROM v_special AS s WHERE s.world = c.world AND s.chunk_x = c.chunk_x AND
    s.chunk_y = c.chunk_y AND s.city_number = c.number AND
    max(abs(s.x - c.x), abs(s.y - c.y)) <= c.size AND
    s.special IN (SELECT id FROM region_building WHERE region = 'default' AND
                  bin <> 'trailheads')) ORDER BY 1, 2, 3
"""
EMPTY_CITY_EVENTS = """
SELECT world, x, y FROM v_event WHERE kind = 'city_empty' ORDER BY 1, 2, 3
"""
folder = None


def setUpModule():
    global folder
    if not os.path.isdir(TODAY):
        print("SKIPPED: today's games: %s is not there" % TODAY)
        if os.environ.get("CI") == "true" and os.path.isdir(SHARED):
            raise RuntimeError("CI has ../shared, but not today's games")
        raise unittest.SkipTest("no games")
    folder = tempfile.mkdtemp()
    unittest.addModuleCleanup(shutil.rmtree, folder)
    for game in chosen():
        os.mkdir(os.path.join(folder, game))
        subprocess.run(["tar", "--zstd", "-xf", os.path.join(TODAY, game + ".tar.zst"), "-C",
                        os.path.join(folder, game)], check=True)


def chosen():
    """The games that this run is about."""
    return GAMES if OVERMAPS else (GAMES[int(os.environ.get("PORTOLAN_TURN", 0)) % len(GAMES)],)


def rectangle():
    """Of so many overmaps at least, around the origin."""
    if not OVERMAPS:
        return "0,0,2,1"
    side = math.ceil(math.sqrt(OVERMAPS))
    first = -((side - 1) // 2)
    return "%d,%d,%d,%d" % (first, first, first + side - 1, first + side - 1)


def reason(low, high, flags, counts):
    """Why there is none of a special: what left over nothing; '' if nothing explains it."""
    flags = set(flags.split())
    asked = counts[0]
    once = "GLOBALLY_UNIQUE" in flags
    if asked == 0:
        if once:
            return "once: not asked for at home"
        if low == 0 and flags & {"UNIQUE", "OVERMAP_UNIQUE"}:
            return "never comes up"
        return "no sea or lake" if flags & {"LAKE", "OCEAN"} else ""
    stages = ("ground", "link", "city", "room")
    for stage, left in zip(stages, counts[1:5]):
        if left == 0:
            return ("once: no %s at home" if once else "no %s anywhere") % stage
    if once:
        return "once: no sector at home left for it"
    if counts[5] > 0:
        return "does not grow there"
    expected = asked if not flags & {"UNIQUE", "OVERMAP_UNIQUE"} else asked * low / high
    return "rarely fits" if expected < FEW or counts[4] < 20 * asked else ""


class Checklist(CommandTest):
    def done(self, *arguments, **more):
        return super().done(*arguments, timeout=LIMIT, **more)

    def rows(self, sql):
        text = self.done("query", self.file, sql, "--format", "csv", "--no-header",
                         "--time-limit", "0")
        return list(csv.reader(io.StringIO(text)))

    def number(self, sql):
        return int(float(self.rows(sql)[0][0]))

    def generate(self, name, *chunks):
        subprocess.run([COMMAND, "generate", self.file, "--world", name, "-q", *chunks],
                       check=True, stdin=subprocess.DEVNULL)

    def test_worlds(self):
        for game in chosen():
            with self.subTest(game=game):
                self.file = self.path(game + ".db")
                self.done("import", self.file, "--game", os.path.join(folder, game),
                          "--no-warnings")
                self.done("new", self.file, "w", "--seed", str(SEED))
                self.generate("w", "--rect=" + rectangle())
                self.check_specials(game)
                self.check_bins(game)
                self.check_world(game)
                self.check_threads()
                os.remove(self.file)

    def check_specials(self, game):
        """1: every eligible special is there, or it is known why not."""
        missing = {}
        for special, low, high, flags, *counts in self.rows(ELIGIBLE):
            missing[special] = reason(int(low), int(high), flags, list(map(int, counts)))
        if OVERMAPS:
            print("%s: specials that are not there: %s" % (game, json.dumps(missing, indent=1)))
        if OVERMAPS >= 1000:
            self.assertEqual(missing, EXCEPTIONS[game])

    def check_bins(self, game):
        """2: every entry of a bin is there, or is to be expected less than FEW times."""
        largest = self.number("SELECT max(size) FROM city")
        missing = {}
        for bin_, one, expected, least, most, flags, tiles in self.rows(BINS):
            if float(expected) < FEW or int(least) > largest or int(most) < 2:
                continue
            why = "once" if "GLOBALLY_UNIQUE" in flags else \
                "large" if int(tiles) > 9 else "expected %.0f" % float(expected)
            missing[bin_ + " " + one] = why
        print("%s: of the bins: %s" % (game, json.dumps(missing)))
        self.assertEqual([k for k, v in missing.items() if v.startswith("expected")], [])

    def check_world(self, game):
        """4 and 5: nothing that must not be there; the file and its seams are whole."""
        self.assertEqual(self.number(NEVER_THERE), 0)
        self.assertEqual(self.number(TWICE_IN_A_CITY), 0)
        self.assertEqual(self.rows(EMPTY_CITIES), self.rows(EMPTY_CITY_EVENTS))
        self.assertIn(": 0 problems", self.done("verify", self.file, "--seams"))
        overmaps = self.number("SELECT count(*) FROM chunk")
        lost = self.number("SELECT count(*) FROM event WHERE detail LIKE "
                           "'%no way for its connection'")
        print("%s: %d overmaps, 'no way for its connection': %.1f a hundred" %
              (game, overmaps, 100 * lost / overmaps))
        self.assertLess(lost, max(6, 0.12 * overmaps))

    def check_threads(self):
        """5: the same world by 1, 2 and 8 threads."""
        digests = set()
        for jobs in (1, 2, 8):
            name = "jobs%d" % jobs
            self.done("new", self.file, name, "--seed", "5")
            self.generate(name, "--rect=0,0,1,1", "--jobs", str(jobs))
            digests.add(self.done("digest", self.file, "--world", name).split()[0])
        self.assertEqual(len(digests), 1)

    def cities_planned(self, game, chunk, worlds):
        """How many cities the overmap has on average, with those that found no room."""
        self.file = self.path("%s %s.db" % (game, chunk))
        self.done("import", self.file, "--game", os.path.join(folder, game), "--no-warnings")
        for seed in range(worlds):
            self.done("new", self.file, "s%d" % seed, "--seed", str(seed))
            self.done("generate", self.file, "--world", "s%d" % seed, "-q", "--chunk=" + chunk,
                      "--stop-after", "cities")
        found = self.number("SELECT count(*) FROM city")
        found += self.number("SELECT count(*) FROM event WHERE kind = 'city_dropped' AND x >= 0")
        for (detail,) in self.rows("SELECT detail FROM event WHERE kind = 'city_missing'"):
            found += int(detail.split()[3])
        print("%s: %.3f cities at %s, %d worlds" % (game, found / worlds, chunk, worlds))
        os.remove(self.file)
        return found / worlds

    @unittest.skipUnless(OVERMAPS, "tools/soak")
    def test_cities_at_the_origin(self):
        """3: 9.3 on average."""
        for game in GAMES:
            with self.subTest(game=game):
                self.assertAlmostEqual(self.cities_planned(game, "0,0", min(OVERMAPS, 400)), 9.34,
                                       delta=0.1)

    @unittest.skipUnless(OVERMAPS, "tools/soak")
    def test_cities_by_place(self):
        """3: nearer to each other eastwards, rare in the northern forest; not in Bright Nights."""
        worlds = min(OVERMAPS, 100)
        for game in GAMES:
            for chunk, planned, delta in (("4,0", 37.37, 2), ("0,-5", 0.292, 1.5)):
                with self.subTest(game=game, chunk=chunk):
                    if game.startswith("bn"):
                        planned, delta = 9.34, 2
                    self.assertAlmostEqual(self.cities_planned(game, chunk, worlds), planned,
                                           delta=delta / math.sqrt(worlds))

    def grows_without_end(self, special):
        """Each piece asks for more than one other on average, and no rule has an end."""
        sides = collections.Counter()
        for piece, count in self.rows(
                "SELECT piece, count(*) FROM special_piece_side WHERE special = '%s' AND "
                "type = 'mandatory' GROUP BY piece" % special):
            sides[piece] = int(count)
        rules = self.rows("SELECT p.piece, r.weight, r.max_kind FROM special_phase_rule r JOIN "
                          "special_phase_rule_piece p ON p.special = r.special AND p.phase = "
                          "r.phase AND p.rule = r.position WHERE r.special = '%s'" % special)
        total = sum(float(weight) for _, weight, _ in rules)
        more = sum(float(weight) * max(0, sides[piece] - 1) for piece, weight, _ in rules)
        return more > total and all(kind == "unlimited" for _, _, kind in rules)

    def test_mutable_specials(self):
        """6: each grows; but one, of which it is shown that its growth has no end."""
        for game in chosen():
            self.file = self.path(game + ".db")
            self.done("import", self.file, "--game", os.path.join(folder, game), "--no-warnings")
            failing = []
            for (special,) in self.rows("SELECT id FROM overmap_special WHERE kind = 'special' "
                                        "AND subtype = 'mutable'"):
                endless = special == "alien_meadow_mutable"
                times = 3 if endless else 10000 if OVERMAPS >= 1000 else 5
                result = subprocess.run([COMMAND, "try", self.file, special, "--times",
                                         str(times), "-q", "--json"], capture_output=True,
                                        text=True, check=False)
                told = json.loads(result.stdout)
                if told["failed"] or endless:
                    failing.append(special)
                    self.assertTrue(self.grows_without_end(special), (special, told))
            self.assertLessEqual(len(failing), 1, failing)
            os.remove(self.file)

    def test_regions(self):
        """7: all regions of DDA of 2026; the abyss is the same everywhere."""
        if "dda-2026-08" not in chosen():
            self.skipTest("not its turn")
        self.done("import", self.file, "--game", os.path.join(folder, "dda-2026-08"),
                  "--no-warnings")
        regions = [row[0] for row in self.rows("SELECT id FROM region_settings")]
        self.assertEqual(len(regions), 16)
        chunks = "--rect=0,0,9,9" if OVERMAPS >= 1000 else "--chunk=0,0"
        for region in regions:
            self.done("new", self.file, region, "--seed", "3", "--region", region)
            self.generate(region, chunks)
        self.assertEqual(self.number("SELECT max(n) FROM (SELECT count(*) AS n FROM terrain_count "
                                     "WHERE world = 'nether_abyss' GROUP BY chunk_x, chunk_y, "
                                     "z)"), 1)

    @unittest.skipUnless(OVERMAPS, "tools/soak")
    def test_orders(self):
        for game in GAMES:
            result = subprocess.run(
                ["python3", os.path.join(SOURCE, "tests/digest_orders.py"), "--command", COMMAND,
                 "--content", os.path.join(folder, game), "--size", "4", "--orders", "12"],
                check=False)
            self.assertEqual(result.returncode, 0, game)


if __name__ == "__main__":
    unittest.main()
