"""What tiles were before terrain came that asks for it (REQUIRES_PREDECESSOR): stored beside each
chunk, told by the table predecessor, the same in any order, kept by saves of 0.I, put right by
repair. Our own content asks for nothing: here its ways, bridges and some more do."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from support import SOURCE, CommandTest, run  # noqa: E402

FLAG = "REQUIRES_PREDECESSOR"
# Lines, bridges, tiles of buildings and of specials, fixed and mutable.
ASKING = ("road", "forest_trail", "bridge", "railroad", "sewer")
ROWS = ("SELECT chunk_x, chunk_y, number, id, x, y, z, length, south FROM predecessor "
        "WHERE world = '%s' ORDER BY chunk_x, chunk_y, number")


class Predecessors(CommandTest):
    def setUp(self):
        super().setUp()
        self.make(self.file, True)

    def make(self, path, asking, seed=12):
        """A world of our own content, with or without the flag."""
        folder = path + "-content"
        shutil.copytree(os.path.join(SOURCE, "data"), folder)
        if asking:
            self.ask_for(folder)
        self.done("import", path, folder)
        self.done("new", path, "w", "--seed", seed, "--city-spacing", "2", "--railroads")

    @staticmethod
    def ask_for(folder):
        for base, _, files in os.walk(os.path.join(folder, "terrain")):
            for name in files:
                path = os.path.join(base, name)
                with open(path, encoding="utf-8") as file:
                    objects = json.load(file)
                for o in objects:
                    if o.get("id") in ASKING and "flags" in o:
                        o["flags"] = o["flags"] + [FLAG]
                    elif o.get("id") in ASKING:
                        o.setdefault("extend", {}).setdefault("flags", []).append(FLAG)
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(objects, file)

    def ask(self, sql, path=None):
        return [tuple(row.values()) for row in
                json.loads(self.done("query", path or self.file, sql, "--format", "json"))]

    def chains(self, world="w"):
        """{place: ids, oldest first}, from the runs."""
        found = {}
        for _, _, _, name, x, y, z, length, south in self.ask(ROWS % world):
            for k in range(length):
                found.setdefault((x + (not south) * k, y + south * k, z), []).append(name)
        return found

    def test_each_tile_that_asks(self):
        self.done("generate", self.file, "--rect", "0,0,1,1", "-q")
        asking = {t for t, in self.ask("SELECT terrain FROM overmap_terrain_flag WHERE flag = '%s'"
                                       % FLAG)}
        self.assertTrue(asking.issuperset(ASKING), asking)
        tiles = {(x, y, z): t for x, y, z, t in self.ask(
            "SELECT x, y, z, terrain FROM omt WHERE terrain IN (%s)"
            % ", ".join("'%s'" % t for t in asking))}
        chains = self.chains()
        self.assertGreater(len(tiles), 1000)
        self.assertEqual(set(tiles), set(chains))
        base = dict(self.ask("SELECT id, terrain FROM concrete_terrain"))
        before = {place: [base[name] for name in names] for place, names in chains.items()}
        # Never its own kind last, never the same twice running; what lay first was no way.
        self.assertFalse([p for p, t in tiles.items() if before[p][-1] == t])
        self.assertFalse([p for p, names in chains.items()
                          if any(a == b for a, b in zip(names, names[1:]))])
        self.assertTrue({"field", "forest_thick"} <= {names[0] for names in before.values()})
        self.assertTrue(any(len(names) > 1 for names in before.values()))
        self.assertTrue(all(before[p] == ["river_center"] for p, t in tiles.items()
                            if t == "bridge" and "river" in before[p][0]))

    def test_worlds_are_the_same(self):
        """With and without the flag, in any order, by any number of threads."""
        plain, other = self.path("plain.db"), self.path("other.db")
        self.make(plain, False)
        self.make(other, True)
        for path in plain, self.file:
            self.done("generate", path, "--rect", "0,0,2,1", "-q")
        for chunk in ("2,1", "0,0", "1,1", "2,0", "0,1", "1,0"):
            self.done("generate", other, "--chunk", chunk, "--jobs", "2", "-q")
        digests = {self.done("digest", path) for path in (plain, self.file, other)}
        self.assertEqual(len(digests), 1)
        self.assertEqual(self.ask(ROWS % "w"), self.ask(ROWS % "w", other))
        self.assertEqual(self.ask(ROWS % "w", plain), [])

    def test_save_of_0i(self):
        """Out to a save and in again: the same chains."""
        self.done("generate", self.file, "--rect", "0,0,1,0", "-q")
        save = self.path("save/Home")
        os.makedirs(os.path.join(save, "overmaps"))
        for name, text in (("mods.json", '["portolan"]'), ("master.gsav", "# version 36\n{}"),
                           ("worldoptions.json", "[]"), ("Sm8=.sav", "x"), ("overmaps/o.0.0", "theirs")):
            self.write(os.path.join(save, name), text)
            os.utime(os.path.join(save, name), (1, 1))
        self.done("export", self.file, "--into", save, "-q")
        wanted, found = self.chains(), {}
        for x in 0, 1:
            with open(os.path.join(save, "overmaps/o.%d.0" % x), encoding="utf-8") as file:
                file.readline()
                entries = json.load(file)["predecessors"]
            self.assertEqual(len({tuple(place) for place, _ in entries}), len(entries))
            found.update({(place[0] + 180 * x, place[1], place[2]): ids for place, ids in entries})
        self.assertEqual(found, wanted)
        self.done("new", self.file, "again", "--seed", "7")
        self.done("import-save", self.file, save, "--world", "again", "-q")
        self.assertEqual(self.chains("again"), wanted)
        self.assertIn(" 0 problems", self.done("verify", self.file))
        self.wrong_saves(os.path.join(save, "overmaps/o.1.0"), save)

    def wrong_saves(self, path, save):
        """What is no chain is refused with its place; an unknown terrain, too, unless --lenient."""
        with open(path, encoding="utf-8") as file:
            first, rest = file.read().split("\n", 1)
        good = json.loads(rest)
        (x, y, z), ids = good["predecessors"][0]
        self.done("new", self.file, "wrong", "--seed", "7")
        command = ("import-save", self.file, save, "--world", "wrong", "-q")
        for wrong, at, pattern in (([[x, y], ids], [x, y], "place"), ([[x, y, z], "field"], [[x, y, z], "field"], "ids"),
                                   ([[x, 180, z], ids], [x, 180, z], "outside the overmap"),
                                   ([[x, y, z], ["field", 7]], 7, "terrain id"), (7, 7, "place, .ids"),
                                   ([[x, y, z], ["field", "moor"]], "moor", "no terrain moor")):
            good["predecessors"] = [wrong]
            text = json.dumps(good)
            self.write(path, first + "\n" + text)
            begin = text.index('"predecessors": [') + len('"predecessors": [')
            column = text.index(json.dumps(at), begin) + 1
            self.failed(1, r"o\.1\.0:2:%d: .*%s" % (column, pattern), *command)
        out = self.done(*command[:-1], "--lenient")
        self.assertIn("moor", out)
        self.assertEqual(self.chains("wrong")[(x + 180, y, z)], ["field"])

    def test_damage(self):
        self.done("generate", self.file, "--rect", "0,0,1,0", "-q")
        rows, digest = self.ask(ROWS % "w"), self.done("digest", self.file)
        for change in ("UPDATE pack SET data = data || x'00'",
                       "UPDATE pack SET checksum = checksum + 1", "DELETE FROM pack"):
            with sqlite3.connect(self.file) as base:
                base.execute(change + " WHERE id = (SELECT max(id) FROM pack WHERE id % 8 = 5)")
            base.close()
            self.assertEqual(run("verify", self.file).returncode, 1, change)
            self.done("repair", self.file)
            self.assertIn(" 0 problems", self.done("verify", self.file))
            self.assertEqual((self.ask(ROWS % "w"), self.done("digest", self.file)),
                             (rows, digest), change)

    def test_format_reader(self):
        self.done("generate", self.file, "--rect", "0,0,1,0", "-q")
        result = self.read_by_the_page()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(self.done("digest", self.file).split()[0], result.stdout)

    def read_by_the_page(self):
        """The reader that is written from format.md."""
        return subprocess.run([sys.executable, os.path.join(SOURCE, "tests/format_reader.py"),
                               self.file], capture_output=True, text=True, check=False)


if __name__ == "__main__":
    unittest.main()
