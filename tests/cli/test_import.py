"""portolan import and new: reports, diagnostics, and that refusals change nothing."""

import json
import os
import re
import unittest

from support import CommandTest, run

TERRAINS = [
    {"type": "overmap_terrain", "id": "field", "name": "field", "sym": ".", "color": "brown"},
    {"type": "overmap_terrain", "id": "hut", "name": "hut", "sym": "h", "color": "white"},
]


class Import(CommandTest):
    def pack(self, name, objects):
        os.makedirs(self.path(name), exist_ok=True)
        self.write(name + "/a.json", json.dumps(objects, indent=1))
        return self.path(name)

    def test_builtin_report(self):
        report = json.loads(self.done("import", self.file, "--builtin", "--json"))
        self.assertEqual(report["outcome"], "imported")
        self.assertEqual(report["errors"], 0)
        self.assertGreater(report["concrete_terrains"], 10)
        self.assertRegex(report["digest"], "^[0-9a-f]{64}$")
        with open(self.file, "rb") as file:
            before = file.read()
        again = json.loads(self.done("import", self.file, "--builtin", "--json"))
        self.assertEqual((again["outcome"], again["digest"]), ("unchanged", report["digest"]))
        with open(self.file, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertIn("unchanged", self.done("import", self.file, "--builtin"))
        self.assertEqual(self.done("query", self.file, "SELECT digest FROM content",
                                   "--format", "csv").split(), ["digest", report["digest"]])

    def test_report_table(self):
        text = self.done("import", self.file, "--builtin", "--no-warnings")
        self.assertRegex(text, r"(?m)^overmap_special +\d+$")
        self.assertRegex(text, r"(?m)^imported, in \d+\.\d\d s$")

    def test_bad_content_is_refused(self):
        bad = TERRAINS + [{"type": "overmap_terrain", "id": "x", "copy-from": "fild"},
                          {"type": "overmap_terrain", "id": 5}]
        folder = self.pack("bad", bad)
        result = self.failed(1, r"bad/a\.json:\d+:\d+: x: .*fild", "import", self.file, folder)
        lines = [line for line in result.stderr.split("\n") if "a.json:" in line]
        self.assertGreaterEqual(len(lines), 2, "all problems in one pass")
        self.assertIn("did you mean", result.stderr)
        self.assertEqual(os.listdir(self.folder), ["bad"], "no empty file is left behind")

    def test_mistakes_by_the_thousands(self):
        """Each is placed, in one scan of the text; one by one 20,000 took 20 s, 100,000 minutes."""
        count = 100000
        tiles = [{"point": [i % 150, i // 150 % 150, i // 22500], "overmap": "no_such_%d" % i}
                 for i in range(count)]
        folder = self.pack("wrong", TERRAINS + [
            {"type": "overmap_special", "id": "wrong", "subtype": "fixed", "occurrences": [0, 1],
             "locations": ["land"], "overmaps": tiles}])
        with open(self.path("wrong/a.json"), encoding="ascii") as file:
            line = 1 + next(i for i, text in enumerate(file) if "no_such_99999" in text)
        result = self.failed(1, "1000[0-9][0-9] errors in the content", "import", self.file, folder,
                             "--verbose")
        self.assertIn("a.json:%d:" % line, result.stderr)

    def test_refusal_keeps_what_was_there(self):
        self.make_world()
        before = self.done("status", self.file)
        folder = self.pack("bad", [{"type": "overmap_terrain", "id": ["a", 7]}])
        self.failed(1, "a\\.json", "import", self.file, folder)
        self.assertEqual(self.done("status", self.file), before)

    def test_check_writes_nothing(self):
        self.assertIn("checked", self.done("import", self.file, "--builtin", "--check"))
        self.assertFalse(os.path.exists(self.file))
        folder = self.pack("bad", [{"type": "overmap_terrain", "id": 1}])
        self.failed(1, "a\\.json", "import", self.file, folder, "--check")
        self.assertFalse(os.path.exists(self.file))

    def test_lenient(self):
        special = {"type": "overmap_special", "id": "s", "locations": ["nowhere"],
                   "occurrences": [0, 1],
                   "overmaps": [{"point": [0, 0, 0], "overmap": "hut_north"}]}
        folder = self.pack("loose", TERRAINS + [special])
        self.failed(1, "nowhere", "import", self.file, folder)
        result = run("import", self.file, folder, "--lenient")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, r"a\.json:\d+:\d+: s: warning: .*nowhere")
        quiet = run("import", self.path("v.db"), folder, "--lenient", "--no-warnings")
        self.assertEqual((quiet.returncode, quiet.stderr), (0, ""))

    def test_one_sentence_of_many_places(self):
        folder = self.pack("twice", TERRAINS + [
            dict(TERRAINS[0], id="t%d" % (i // 2)) for i in range(12)])
        result = run("import", self.file, folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, r"(?m)\Awarning, 6 times: defined twice[^\n]*\n"
                                        r"(  \S*a\.json:\d+:\d+: t[012]\n){3}"
                                        r"  and 3 more \(--verbose lists all\)\n\Z")
        result = run("import", self.path("v.db"), folder, "--verbose")
        self.assertEqual(re.findall(r"(?m)^\S*a\.json:\d+:\d+: (t\d): warning: defined twice",
                                    result.stderr), ["t%d" % i for i in range(6)])
        self.assertEqual(len(result.stderr.splitlines()), 6)
        issues = self.json("import", self.path("u.db"), folder, "--json")["issues"]
        self.assertEqual([issue["id"] for issue in issues], ["t%d" % i for i in range(6)])

    def test_many_errors(self):
        """Some lines of them, and how many more; all are counted, and all can be had."""
        wrong = [{"type": "overmap_terrain", "id": "x%d" % i, "copy-from": "none%d" % i}
                 for i in range(100)]
        folder = self.pack("wrong", TERRAINS + wrong)
        result = self.failed(1, "Is .*wrong all of the content", "import", self.file, folder)
        found = re.findall(r"a\.json:\d+:\d+: (x\d+): ", result.stderr)
        self.assertEqual(found[:20], ["x%d" % i for i in range(20)])
        self.assertIn("\nand 80 more errors (--verbose lists all)\n", result.stderr)
        self.assertIn("100 errors in the content", result.stderr)
        self.assertLessEqual(len(result.stderr.splitlines()), 23)
        result = self.failed(1, "x99: ", "import", self.file, folder, "--verbose")
        self.assertGreaterEqual(len(result.stderr.splitlines()), 101)
        self.assertNotIn("more errors", result.stderr)
        rows = run("import", self.file, folder, "--format", "csv", "--no-header").stdout
        self.assertEqual(len(rows.splitlines()), 100)

    def test_folders_of_a_game(self):
        """Its own, that of its data, one above, a mod's and that of mods."""
        self.pack("games/dda/data/json", TERRAINS)
        self.pack("games/dda/data/raw", [{"id": "x"}])
        self.pack("games/dda/data/mods/more", [
            {"type": "MOD_INFO", "id": "more", "name": "more"},
            {"type": "overmap_terrain", "id": "shed", "copy-from": "hut"}])
        os.rename(self.path("games/dda/data/mods/more/a.json"),
                  self.path("games/dda/data/mods/more/modinfo.json"))
        data, base = self.path("games/dda/data"), self.path("games/dda/data/json")
        for given in ("games/dda", "games/dda/", "games/dda/data"):
            result = self.failed(1, "is a folder of the game", "import", self.file, self.path(given))
            self.assertIn(" '%s'\n" % base, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 3)
            self.assertFalse(os.path.exists(self.file))
        result = self.failed(1, "mods is a folder of mods", "import", self.file, data + "/mods")
        self.assertIn("'%s' '%s/mods/MOD'\n" % (base, data), result.stderr)
        result = self.failed(1, "more/ is a mod", "import", self.file, data + "/mods/more/")
        self.assertIn("'%s' '%s/mods/more'\n" % (base, data), result.stderr)
        result = self.failed(1, "Did you mean\n", "import", self.file, self.path("games"))
        self.assertIn("'%s/json'\n" % data, result.stderr)
        self.done("import", self.file, base, data + "/mods/more")

    def test_missing_directory(self):
        self.failed(1, "nowhere", "import", self.file, self.path("nowhere"))
        self.assertFalse(os.path.exists(self.file))


class New(CommandTest):
    def test_needs_content(self):
        self.done("import", self.file, "--builtin")
        self.failed(1, "(?i)region", "new", self.file, "w", "--seed", "1", "--region", "none")
        self.assertIn("none yet", self.done("status", self.file))

    def test_settings_are_stored(self):
        self.done("import", self.file, "--builtin")
        self.done("new", self.file, "it's me", "--seed", "0xffffffffffffffff", "--city-size", 3,
                  "--city-spacing=2", "--specials-density", ".5", "--specials-spacing", "-1",
                  "--placement", "sectors")
        row, = self.json("query", self.file, "SELECT * FROM world", "--format", "json")
        self.assertEqual((row["name"], row["seed"], row["city_size"], row["city_spacing"]),
                         ("it's me", -1, 3, 2))
        self.assertEqual((row["specials_density"], row["specials_spacing"], row["placement"]),
                         (0.5, -1, "sectors"))
        self.assertIn("18446744073709551615", self.done("status", self.file))
        self.failed(1, "it's me", "new", self.file, "it's me", "--seed", "1")

    def test_bad_names(self):
        self.done("import", self.file, "--builtin")
        for name in ("", "x" * 101, "a\nb"):
            self.failed(1, ".", "new", self.file, name, "--seed", "1")

    def test_several_worlds(self):
        self.make_world("one")
        self.done("new", self.file, "two", "--seed", "2")
        self.failed(1, "(?s)one.*two", "generate", self.file, "--chunk", "0,0")
        self.done("generate", self.file, "--chunk", "0,0", "--world", "two")
        self.failed(1, "three", "digest", self.file, "--world", "three")
        status = self.done("status", self.file, "--world", "two")
        self.assertRegex(status, r"(?m)^two +1 ")
        self.assertNotIn("\none ", status)
        self.failed(1, "no world 'three'", "status", self.file, "--world", "three")
        self.assertNotEqual(self.done("digest", self.file, "--world", "one"),
                            self.done("digest", self.file, "--world", "two"))


if __name__ == "__main__":
    unittest.main()
