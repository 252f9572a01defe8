"""export --format dda-save and import-save, end to end; with the game's own overmaps of
../shared/reference where they are at hand."""

import collections
import functools
import itertools
import json
import os
import re
import subprocess
import sys
import unittest

from support import DDA, SOURCE, CommandTest

SHARED = os.environ.get("PORTOLAN_SHARED", os.path.join(SOURCE, "..", "shared"))
ARCHIVE = os.path.join(SHARED, "reference", "dda-0F-worlds", "world-a.tar.zst")
NAME = re.compile(r"o\.(-?\d+)\.(-?\d+)")
SIZE, SIDES = 180, ((0, -1), (1, 0), (0, 1), (-1, 0))
LINES = ("isolated end_south end_west ne end_north ns es nes end_east wn ew new sw nsw esw "
         "nesw").split()
LINE = re.compile(r"(road|forest_trail|sewer|subway|railroad)_(%s)" % "|".join(LINES))
BRIDGE = re.compile(r"bridge(head_ground)?_(north|east|south|west)")


def position(name):
    return tuple(map(int, NAME.fullmatch(name).groups()))


def positions(folder):
    return set(map(position, filter(NAME.fullmatch, os.listdir(folder))))


def read_overmaps(folder, places=None):
    """By position: the file's JSON object, its layers as lists of runs."""
    found = {}
    for place in sorted(places or positions(folder)):
        name = "o.%d.%d" % place
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            header = file.readline()
            overmap = json.loads(file.read())
        assert header == "# version 33\n", header
        assert [sum(n for _, n in layer) for layer in overmap["layers"]] == [SIZE * SIZE] * 21
        found[position(name)] = overmap
    return found


def expand(layer):
    return [tile for tile, count in layer for _ in range(count)]


def border(overmap, z, side):
    layer = overmap["layers"][z + 10]
    if len(layer) == 1:
        return [layer[0][0]] * SIZE
    cells, last = expand(layer), SIZE - 1
    start, step = ((0, 1), (last, SIZE), (last * SIZE, 1), (0, SIZE))[side]
    return cells[start:start + step * last + 1:step]


def arm(tile, side):
    """What reaches over the border on that side, if anything does."""
    line = LINE.fullmatch(tile)
    if line:
        return line.group(1) if LINES.index(line.group(2)) >> side & 1 else None
    bridge = BRIDGE.fullmatch(tile)
    axis = ("north", "east", "south", "west").index(bridge.group(2)) if bridge else None
    return "road" if bridge and axis % 2 == side % 2 else None


@functools.lru_cache(maxsize=None)
def is_connection(tile):
    return bool(LINE.fullmatch(tile) or BRIDGE.fullmatch(tile))


def has_connections(overmap, z):
    return any(is_connection(tile) for tile, _ in overmap["layers"][z + 10])


def is_river(tile):
    return tile.startswith(("river", "bridge"))


def is_water(tile):
    return is_river(tile) or tile.startswith("lake_")


def runs(cells, test):
    """First and behind-the-last index of each run of cells that pass."""
    start = None
    for i, tile in enumerate(cells + [""]):
        if test(tile) and start is None:
            start = i
        elif not test(tile) and start is not None:
            yield start, i
            start = None


def compare_borders(overmaps, foreign):
    """Counts over the borders between foreign overmaps and the others; and what is wrong."""
    count, wrong = collections.Counter(), []
    for place in sorted(foreign):
        for side, (dx, dy) in enumerate(SIDES):
            other = (place[0] + dx, place[1] + dy)
            if other in foreign or other not in overmaps or place not in overmaps:
                continue
            count["borders"] += 1
            back = (side + 2) % 4
            for z in range(-10, 11):
                if not any(has_connections(overmaps[p], z) for p in (place, other)):
                    continue
                theirs = border(overmaps[place], z, side)
                ours = border(overmaps[other], z, back)
                for k in range(SIZE):
                    a, b = arm(theirs[k], side), arm(ours[k], back)
                    count["arms"] += a is not None
                    if a != b and not (a and "manhole" in ours[k]):
                        wrong.append((place, side, z, k, theirs[k], ours[k]))
            theirs, ours = border(overmaps[place], 0, side), border(overmaps[other], 0, back)
            for start, end in runs(theirs, is_river):
                if not any(tile.startswith("river") for tile in theirs[start:end]):
                    continue  # a bridge over a lake
                count["rivers"] += 1
                if not any(map(is_water, ours[start:end])):
                    wrong.append((place, side, "river", start, end))
            for first, second in ((theirs, ours), (ours, theirs)):
                for start, end in runs(first, lambda tile: tile.startswith("lake_")):
                    start, end = max(start, 1), min(end, SIZE - 1)  # corners are apart
                    count["lakes"] += 1
                    if end > start and not any(map(is_water, second[start:end])):
                        wrong.append((place, side, "lake", start, end))
    return count, wrong


def points_of(overmap):
    return {(entry["special"], *point["p"]) for entry in overmap["overmap_special_placements"]
            for placement in entry["placements"] for point in placement["points"]}


def groups_of(overmaps):
    """Monster groups by place in the world, of those that lie in one of the overmaps."""
    found = collections.Counter()
    for (x, y), overmap in overmaps.items():
        for group, places in overmap["monster_groups"]:
            kind = tuple(sorted(group.items()))
            for place in places:
                at = (place[0] + 2 * SIZE * x, place[1] + 2 * SIZE * y)
                if (at[0] // (2 * SIZE), at[1] // (2 * SIZE)) in overmaps:
                    found[(kind, *at, place[2])] += 1
    return found


class RoundTrip(CommandTest):
    def test_out_in_and_out_again(self):
        self.make_world()
        self.done("generate", self.file, "--rect", "0,0,1,1", "-q")
        out = self.done("export", self.file, self.path("a"), "--format", "dda-save")
        self.assertRegex(out, r"^4 overmaps written to .*: \d+ cities, [1-9]\d+ buildings")
        overmaps = read_overmaps(self.path("a"))
        self.assertEqual(sorted(overmaps), [(0, 0), (0, 1), (1, 0), (1, 1)])
        csv = self.done("dump", self.file, "--chunk", "1,0").replace("\n", ",").split(",")
        self.assertEqual(csv[:-1], expand(overmaps[1, 0]["layers"][10]))
        for overmap in overmaps.values():
            self.assertEqual(set(overmap), set(
                "layers region_id monster_groups cities connections_out radios monster_map "
                "tracked_vehicles scent_traces npcs camps overmap_special_placements".split()))
        first, second = overmaps[0, 0]["connections_out"], overmaps[1, 0]["connections_out"]
        self.assertEqual({y for x, y, z in first.get("local_road", []) if x == SIZE - 1},
                         {y for x, y, z in second.get("local_road", []) if x == 0})
        self.done("new", self.file, "other", "--seed", "9")
        out = self.done("import-save", self.file, self.path("a"), "--world", "other")
        self.assertRegex(out, r"^4 overmaps imported in .* with 12 edges")
        self.done("verify", self.file)
        self.done("export", self.file, self.path("b"), "--format", "dda-save", "-q",
                  "--world", "other")
        again = read_overmaps(self.path("b"))
        for place, overmap in overmaps.items():
            for key in ("layers", "region_id", "cities", "radios"):
                self.assertEqual(overmap[key], again[place][key], (place, key))
        self.compare_points(overmaps, again)
        # Groups beyond a border have gone to the overmap there, and nothing lies beyond one.
        moved = int(re.search(r"(\d+) monster groups beyond a border went to", out).group(1))
        self.assertGreater(moved, 10)
        self.assertEqual(groups_of(overmaps), groups_of(again))
        self.assertEqual(sum(len(places) for overmap in again.values()
                             for _, places in overmap["monster_groups"]),
                         sum(groups_of(overmaps).values()))

    def compare_points(self, overmaps, again):
        """All come back but those of mutable specials, whose pieces a save does not name, and of
        the few specials that share a cell with another one."""
        mutable = {row["special"] for row in self.json("query", self.file, """
            SELECT DISTINCT s.special FROM v_special s JOIN piece p ON p.world = s.world
            AND p.chunk_x = s.chunk_x AND p.chunk_y = s.chunk_y
            AND p.special_number = s.number""", "--format", "json")}
        self.assertTrue(mutable)
        for place, overmap in overmaps.items():
            before, after = points_of(overmap), points_of(again[place])
            self.assertLessEqual(after, before, place)
            self.assertFalse(any(special in mutable for special, *_ in after))
            wanted = sum(special not in mutable for special, *_ in before)
            self.assertGreaterEqual(len(after), 0.98 * wanted, place)

    def test_messages(self):
        self.make_world()
        self.done("generate", self.file, "--chunk", "0,0", "-q")
        target = self.path("a")
        self.failed(2, "say which format: --format dda-save", "export", self.file, target)
        self.failed(2, "is none of dda-save", "export", self.file, target, "--format", "gif")
        self.failed(1, "no saved chunks there", "export", self.file, target, "--format",
                    "dda-save", "--rect", "5,5,6,6")
        self.assertEqual(self.done("export", self.file, target, "--format", "dda-save", "-q"), "")
        self.failed(1, "(?s)holds overmaps already.*--force", "export", self.file, target,
                    "--format", "dda-save")
        self.done("export", self.file, target, "--format", "dda-save", "--force", "-q")
        self.failed(1, "chunk 0,0 is saved already", "import-save", self.file, target)
        self.failed(1, "no-such", "import-save", self.file, self.path("no-such"))
        self.done("new", self.file, "other", "--seed", "9")
        self.done("generate", self.file, "--world", "other", "--chunk", "1,0", "-q")
        self.failed(1, "(?s)chunk 1,0 is generated.*--force", "import-save", self.file, target,
                    "--world", "other")
        out = self.done("import-save", self.file, target, "--world", "other", "--force")
        self.assertIn("1 generated chunks beside them were removed", out)
        with open(os.path.join(target, "o.0.0"), encoding="utf-8") as file:
            text = file.read()
        save = json.loads(text.split("\n", 1)[1])
        taken = save["overmap_special_placements"][0]
        self.write("a/o.3.3", text.replace("empty_rock", "empty_rook").replace(
            '"special":"%s"' % taken["special"], '"special":"far_away"').replace(
                '"region_id":"default"', '"region_id":"beyond"'))
        self.write("a/o.7.3", text.replace("empty_rock", "empty_rook"))
        rooks = sum(count for layer in save["layers"] for name, count in layer if name == "empty_rock")
        points = len({tuple(point["p"]) for place in taken["placements"] for point in place["points"]})
        os.remove(os.path.join(target, "o.0.0"))
        self.failed(1, r"(?s)o\.3\.3:2:\d+: the content has no terrain empty_rook \(%d\).*--lenient" % rooks,
                    "import-save", self.file, target, "--world", "other")
        out = self.done("import-save", self.file, target, "--world", "other", "--lenient")
        self.assertRegex(out, "OMTs of unknown terrain")
        out = re.sub(r"\s+", " ", out)
        # Each with its number and its first place, where the file has it.
        found = re.search(r"terrains that the content lacks, and their OMTs: empty_rook \((\d+)\), "
                          r"first at (\S+) specials that the content lacks, and their OMTs: far_away "
                          r"\((\d+)\), first at (\S+) regions that the content lacks, and their "
                          r"overmaps: beyond \(1\), first at (\S+)", out)
        self.assertTrue(found, out)
        self.assertEqual((int(found[1]), int(found[3])), (2 * rooks, points))
        for place, word in ((found[2], '"empty_rook"'), (found[4], '"far_away"'),
                            (found[5], '"beyond"')):
            path, line, column = place.rsplit(":", 2)
            self.assertEqual(os.path.basename(path), "o.3.3")
            with open(path, encoding="utf-8") as file:
                lines = file.read().split("\n")
            self.assertTrue(lines[int(line) - 1][int(column) - 1:].startswith(word), place)
            self.assertEqual("\n".join(lines).index(word), sum(
                len(one) + 1 for one in lines[:int(line) - 1]) + int(column) - 1)
        self.done("verify", self.file)


class BridgesAtBorders(CommandTest):
    """An overmap of fields with bridges along its borders, all four: what they span goes on in
    each neighbour, whatever shows of it."""

    # What lies from a place on along the border, for an axis along x; and where water must be
    # opposite: 1 there, ? at least at one of them (a river so narrow loses some to its banks).
    ROWS = (
        (0, "bridge_east bridge_east bridgehead_ground_east road_ew", "11"),
        (20, "road_ew bridgehead_ground_west bridge_east bridge_east bridgehead_ground_east", "00110"),
        (50, "road_ew bridgehead_ground_west bridgehead_ground_east road_ew", "0??0"),
        (80, "road_ew bridgehead_ground_west bridge_west bridgehead_ground_east", "0010"),
        (110, "road_ew " + "bridge_east " * 12 + "road_ew", "0" + 12 * "1" + "0"),
        (175, "road_ew bridgehead_ground_west bridge_east bridge_east bridge_east", "00111"))
    TURNED = {"east": "south", "west": "north", "ew": "ns"}

    def overmap(self):
        ground = [["field"] * SIZE for _ in range(SIZE)]
        for start, tiles, _ in self.ROWS:
            for at, tile in enumerate(tiles.split(), start):
                kind, end = tile.rsplit("_", 1)
                turned = kind + "_" + self.TURNED[end]
                ground[0][at] = ground[-1][at] = tile
                if 0 < at < SIZE - 1:
                    ground[at][0] = ground[at][-1] = turned
        cells = sum(ground, [])
        layers = [[["empty_rock" if z < 10 else "open_air", SIZE * SIZE]] for z in range(21)]
        layers[10] = [[tile, len(list(same))] for tile, same in itertools.groupby(cells)]
        return {"layers": layers, "region_id": "default"}

    def check(self):
        os.mkdir(self.path("save"))
        self.write("save/o.0.0", "# version 33\n" + json.dumps(self.overmap()))
        for seed in 1, 2:
            name = "w%d" % seed
            self.done("new", self.file, name, "--seed", seed)
            self.done("import-save", self.file, self.path("save"), "--world", name)
            self.done("generate", self.file, "--world", name, "--rect", "-1,-1,1,1", "-q")
            # (Roads that the bridges' ends lack inside a foreign overmap are its own affair.)
            text = self.done("verify", self.file, "--seams", "--world", name)
            self.assertRegex(text, r"seams of 9 chunks .*: 0 problems")
            self.done("export", self.file, self.path(name), "--world", name, "--format",
                      "dda-save", "-q")
            overmaps = read_overmaps(self.path(name))
            for side, (dx, dy) in enumerate(SIDES):
                cells = border(overmaps[dx, dy], 0, (side + 2) % 4)
                for start, _, water in self.ROWS:
                    found = [tile for tile, wanted in zip(cells[start:], water) if wanted == "?"]
                    self.assertTrue(not found or any(map(is_water, found)), (seed, side, start))
                    for at, wanted in enumerate(water, start):
                        if wanted == "1" and 0 < at < SIZE - 1:
                            self.assertTrue(is_water(cells[at]), (seed, side, at, cells[at]))

    def test_own_content(self):
        self.import_builtin()
        self.check()

    def test_content_of_the_game(self):
        if not os.path.exists(DDA):
            self.skipTest("no content of the game")
        self.done("import", self.file, DDA, "--no-warnings")
        self.check()


class GamesOwn(CommandTest):
    def setUp(self):
        super().setUp()
        missing = [path for path in (ARCHIVE, DDA) if not os.path.exists(path)]
        if missing:
            print("SKIPPED: the game's own overmaps: missing: %s" % ", ".join(missing),
                  file=sys.stderr)
            if os.environ.get("CI") == "true" and os.path.isdir(SHARED):
                self.fail("missing in CI: %s" % missing)
            self.skipTest("no overmaps of the game")
        subprocess.run("zstd -dcq '%s' | tar -x -C '%s'" % (ARCHIVE, self.folder), shell=True,
                       check=True)
        self.save = self.path("world-a")

    def check_same(self, theirs, ours):
        points = lost = 0
        for place, a in theirs.items():
            b = ours[place]
            for key in ("layers", "region_id", "cities", "radios"):
                self.assertEqual(a[key], b[key], (place, key))
            sets = [{e["special"]: {tuple(q["p"]) for p in e["placements"] for q in p["points"]}
                     for e in o["overmap_special_placements"]} for o in (a, b)]
            for special, cells in sets[0].items():
                found = sets[1].pop(special, set())
                self.assertLessEqual(found, cells)
                points += len(cells)
                lost += len(cells - found)
            self.assertEqual(sets[1], {})
        self.assertLess(lost, 0.02 * points)

    def test_goes_on_around_the_games_overmaps(self):
        self.done("import", self.file, DDA, "--no-warnings")
        self.done("new", self.file, "a", "--seed", "5")
        out = self.done("import-save", self.file, self.save)
        self.assertRegex(out, r"^49 overmaps imported .* 118 edges: 456 cities, .* 348 radios")
        # The eastern half of what lies around them; PORTOLAN_SOAK_SEEDS asks for all of it.
        whole = "PORTOLAN_SOAK_SEEDS" in os.environ
        rect = "-2,-2,7,8" if whole else "4,-2,7,8"
        self.done("generate", self.file, "--rect", rect, "--jobs", "2", "-q")
        self.done("verify", self.file, "--seams")
        self.done("export", self.file, self.path("out"), "--format", "dda-save", "-q", "--rect",
                  rect)
        foreign, saved = positions(self.save), positions(self.path("out"))
        self.assertEqual((len(foreign), len(saved)), (49, 110 if whole else 44))
        some = {place for place in foreign & saved if (place[0] + 2 * place[1]) % 3 == 0}
        self.assertGreater(len(some), 3)
        ours = read_overmaps(self.path("out"), some)
        self.check_same(read_overmaps(self.save, some), ours)
        rim = {place for place in saved for dx, dy in SIDES
               if ((place[0] + dx, place[1] + dy) in foreign) != (place in foreign)}
        count, wrong = compare_borders(read_overmaps(self.path("out"), rim & saved), foreign)
        self.assertEqual(wrong, [])
        self.assertEqual(count["borders"], 40 if whole else 16)
        self.assertGreater(count["arms"], 9)
        self.assertGreater(count["rivers"], 9)
        self.assertGreater(count["lakes"], 4)


    def test_every_border_of_the_games_overmaps(self):
        """Every other overmap of the save, so that each of their borders is beside one of ours;
        then the others. Three of the borders have a bridge along them that hides its river."""
        self.done("import", self.file, DDA, "--no-warnings")
        for part in 0, 1:
            name, half = "half%d" % part, self.path("part%d" % part)
            os.mkdir(half)
            for x, y in positions(self.save):
                if (x + y) % 2 == part:
                    file = "o.%d.%d" % (x, y)
                    os.link(os.path.join(self.save, file), os.path.join(half, file))
            self.done("new", self.file, name, "--seed", "5")
            self.done("import-save", self.file, half, "--world", name)
            beside = {(x + dx, y + dy) for x, y in positions(half) for dx, dy in SIDES}
            self.done("generate", self.file, "--world", name, "--jobs", "2", "-q", "--list", "-",
                      stdin="".join("%d,%d\n" % place for place in sorted(beside)))
            text = self.done("verify", self.file, "--seams", "--world", name)
            self.assertRegex(text, r"seams of %d chunks \(0 unfinished\), .*: 0 problems"
                             % len(beside | positions(half)))


if __name__ == "__main__":
    unittest.main()
