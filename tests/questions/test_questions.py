"""The questions about local maps (schema/questions.md, "Inside of OMTs"), counted by hand.

Some OMTs of one overmap of DDA 0.F's content are opened with `local --json`, and each question's
answer is made of that JSON here, in Python; its SQL must say the same of the same file.
"""

import csv
import io
import os
import re
import sys
import unittest
from collections import Counter, defaultdict

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from support import DDA, SOURCE, CommandTest  # noqa: E402

# What is opened: of these terrains (GLOB patterns) so many OMTs, and the level below each.
OPENED = (("house*", 16), ("forest", 4), ("road_ns", 12), ("police*", 2), ("evac_center*", 10),
          ("bandit*", 6), ("ws_biker*", 6), ("mi-go*", 4), ("cave*", 2), ("church*", 2),
          ("trailhead*", 4), ("sub_station*", 4), ("park*", 2))


def questions():
    """Statements of the page's part, by number."""
    with open(os.path.join(SOURCE, "schema/questions.md"), encoding="utf-8") as file:
        part = file.read().split("## Inside of OMTs")[1].split("\n## ")[0]
    found = re.findall(r"### (\d+)\. .*?\n```sql\n(.*?);\n```", part, re.S)
    return {int(number): sql for number, sql in found}


def ranked(rows, key, limit):
    return sorted(rows, key=key)[:limit]


def text(value):
    """A number as the command writes it."""
    return ("%.2f" % value).rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


@unittest.skipUnless(os.path.isdir(DDA), "DDA's content is not there")
class QuestionsTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.done("import", self.file, DDA)
        self.done("new", self.file, "home", "--seed", 1)
        self.done("generate", self.file, "--rect", "1,1,1,1")
        self.maps = {}
        for pattern, count in OPENED:
            sql = ("SELECT x, y FROM omt WHERE world = 'home' AND chunk_x = 1 AND chunk_y = 1 "
                   "AND z = 0 AND oter GLOB '%s' ORDER BY x + y, x LIMIT %d" % (pattern, count))
            for row in self.ask(sql)[1:]:
                for z in (0, -1):
                    place = (int(row[0]), int(row[1]), z)
                    if place not in self.maps:
                        self.maps[place] = self.json("local", self.file, "%d,%d,%d" % place,
                                                     "--json")
        self.things = [(place, e) for place, m in sorted(self.maps.items())
                       for e in m["entities"]]

    def ask(self, sql):
        return list(csv.reader(io.StringIO(self.done("query", self.file, sql, "--format", "csv"))))

    def of_kind(self, *kinds):
        return [(place, e) for place, e in self.things if e["kind"] in kinds]

    def tiles(self, place, layer):
        return [name for row in self.maps[place][layer] for name in row]

    # One for each question: the rows that it should answer with.

    def count_22(self):
        rows = []
        for name, size, x, y in self.ask("SELECT name, size, x, y FROM v_city")[1:]:
            near = [e for (vx, vy, _), e in self.of_kind("vehicle")
                    if abs(vx - int(x)) <= 20 and abs(vy - int(y)) <= 20]
            runs = sum(e["status"] == 0 and e["charges"] > 0 for e in near)
            if near:
                rows.append((name, int(size), len(near), runs))
        return ranked(rows, lambda r: (-r[2], r[0]), 6)

    def count_23(self):
        rows = []
        for z in (-1, 0):
            maps = [m for place, m in self.maps.items() if place[2] == z]
            rows.append((z, len(maps), len({m["oter"] for m in maps}),
                         sum(m["fallback"] for m in maps), sum(m["edited"] for m in maps)))
        return rows

    def count_24(self):
        count = Counter()
        for (x, y, z), m in self.maps.items():
            if m["oter"] == "forest" and z == 0 and 180 <= x <= 269 and 180 <= y <= 269:
                count.update(self.tiles((x, y, z), "terrain"))
        rows = [(name, round(100.0 * n / sum(count.values()), 2)) for name, n in count.items()]
        return ranked(rows, lambda r: (-r[1], r[0]), 10)

    def count_25(self):
        rows = [(m["oter"], p[0], p[1], self.tiles(p, "furniture").count("f_bed"))
                for p, m in self.maps.items() if m["oter"].startswith("house") and p[2] == 0]
        return ranked([r for r in rows if r[3]], lambda r: (-r[3], r[2], r[1]), 8)

    def count_26(self):
        items, maps = Counter(), defaultdict(set)
        for place, e in self.of_kind("item"):
            if e["status"] == 0:
                items[e["id"]] += e["count"]
                maps[e["id"]].add(place)
        return ranked([(n, c, len(maps[n])) for n, c in items.items()],
                      lambda r: (-r[1], r[0]), 10)

    def count_27(self):
        rows = [(e["id"], *place, e["x"], e["y"], e["count"],
                 max(abs(place[0] - 270), abs(place[1] - 270)))
                for place, e in self.of_kind("computer")]
        # Of those that are as near in one map the order is not said.
        return ranked(rows, lambda r: (r[7], -r[3], r[2], r[1]), 5)

    def count_28(self):
        count = Counter((e["kind"], e["text"] or "<%s>" % e["id"])
                        for _, e in self.of_kind("sign", "graffiti", "remark"))
        return ranked([(*key, n) for key, n in count.items()], lambda r: (-r[2], r[1]), 10)

    def count_29(self):
        on_map = defaultdict(Counter)
        for place, e in self.of_kind("monster"):
            on_map[e["id"]][place] += e["count"]
        rows = [(name, sum(c.values()), max(c.values())) for name, c in on_map.items()]
        return ranked(rows, lambda r: (-r[1], r[0]), 10)

    def count_30(self):
        groups = defaultdict(list)
        for place, e in self.of_kind("npc"):
            groups[(self.maps[place]["oter"], e["id"])].append(place)
        rows = [(*key, len(places), min(p[0] for p in places), min(p[1] for p in places))
                for key, places in groups.items()]
        return ranked(rows, lambda r: (-r[2], r[0], r[1]), 8)

    def count_31(self):
        count = Counter()
        for (x, y, z), m in self.maps.items():
            below = self.maps.get((x, y, -1))
            if z == 0 and below and 180 <= x <= 269 and 180 <= y <= 269 and \
                    below["oter"] not in ("empty_rock", "solid_earth") and \
                    any("down" in name for name in self.tiles((x, y, z), "terrain")):
                count[(m["oter"], below["oter"])] += 1
        return ranked([(*key, n) for key, n in count.items()], lambda r: (-r[2], r[0]), 10)

    def test_hand_counts(self):
        asked = questions()
        self.assertEqual(sorted(asked), list(range(22, 32)))
        for number, sql in asked.items():
            with self.subTest(question=number):
                expected = [tuple(map(text, row)) for row in getattr(self, "count_%d" % number)()]
                answer = [tuple(row[:len(expected[0])]) for row in self.ask(sql)[1:]]
                self.assertGreater(len(expected), 0)
                if number in (27, 31):  # ties, which the page leaves in no order
                    expected, answer = sorted(expected), sorted(answer)
                self.assertEqual(answer, expected)


if __name__ == "__main__":
    unittest.main()
