"""portolan import and new: reports, diagnostics, that refusals change nothing, and a game's own
directory (a small one, made of our own pack)."""

import json
import os
import re
import shutil
import unittest

from support import DDA, SOURCE, CommandTest, run
from test_into import age

PACK = os.path.join(SOURCE, "data")
GAME_0F = os.path.dirname(DDA)
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

    def test_operands_are_read(self):
        """What is named first is the file: content in its place is no mistake to pass over."""
        folder = self.pack("mine", [])
        for words in ((folder, "--builtin", "--check"), (folder,),
                      (os.path.join(folder, "a.json"), "--builtin", "--check"),
                      (self.path("mods/mien"), "--builtin", "--check")):
            result = run("import", *words)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("FILE comes first", result.stderr)
        self.assertIn("checked", self.done("import", self.file, folder, "--builtin", "--check"))

    def changes(self):
        text = self.done("status", self.file, "--section", "changes", "--format", "csv",
                         "--no-header")
        return [line.split(",") for line in text.splitlines()]

    def test_what_differs_from_before(self):
        """A terrain that is called otherwise: what was saved has an id that the content lacks."""
        special = {"type": "overmap_special", "id": "s", "locations": ["land"],
                   "occurrences": [5, 9], "city_distance": [0, -1], "city_sizes": [0, -1],
                   "overmaps": [{"point": [0, 0, 0], "overmap": "shack_north"}]}
        terrain = {"type": "overmap_terrain", "id": "shack", "name": "n", "sym": "S"}
        folder = self.pack("mine", [terrain, special])
        self.done("import", self.file, "--builtin", folder)
        self.done("new", self.file, "w", "--seed", "3")
        self.assertEqual(self.changes(), [])
        self.done("generate", self.file, "--world", "w", "--rect", "0,0,1,1")
        terrain["id"] = "cabin_of_wood"
        special["overmaps"][0]["overmap"] = "cabin_of_wood_north"
        folder = self.pack("mine", [special, terrain])
        result = run("import", self.file, "--builtin", folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("terrains that this content lacks: 'shack_", result.stderr)
        self.assertEqual([row[:3] for row in self.changes()],
                         [["changed", "special", "s"], ["added", "terrain", "cabin_of_wood"],
                          ["removed", "terrain", "shack"]])

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
        self.assertRegex(result.stderr, r"(?m)^warning, 6 times: CT106: defined twice[^\n]*\n"
                                        r"(  \S*a\.json:\d+:\d+: t[012]\n){3}"
                                        r"  and 3 more \(--verbose lists all\)\n")
        result = run("import", self.path("v.db"), folder, "--verbose")
        self.assertEqual(re.findall(r"(?m)^\S*a\.json:\d+:\d+: (t\d): warning: CT106: defined twice",
                                    result.stderr), ["t%d" % i for i in range(6)])
        lines = [line for line in result.stderr.splitlines() if "MG312" not in line]
        self.assertEqual(len(lines), 6)
        issues = self.json("import", self.path("u.db"), folder, "--json")["issues"]
        self.assertEqual([issue["id"] for issue in issues if issue["code"] == "CT106"],
                         ["t%d" % i for i in range(6)])

    def mod_on_base(self):
        """A base with 30 mistakes, and a mod on it with three, two of them the same."""
        rows = [{"type": "mapgen", "om_terrain": "hut", "object": {"fill_ter": "t_%d" % i}}
                for i in range(30)]
        ground = {"type": "terrain", "id": "t_dirt", "name": "dirt"}
        base = self.pack("base", TERRAINS + [ground] + rows)
        group = [{"group": "nope_a", "x": 1, "y": 1}, {"group": "nope_b", "x": 1, "y": 1},
                 {"group": "nope_a", "x": 2, "y": 2}]
        self.pack("mod", [{"type": "MOD_INFO", "id": "mine", "name": "mine",
                           "dependencies": ["dda"]},
                          {"type": "item_group", "id": "stuff", "items": []}])
        os.rename(self.path("mod/a.json"), self.path("mod/modinfo.json"))
        self.pack("mod", [{"type": "mapgen", "om_terrain": "hut", "object": {
            "fill_ter": "t_dirt", "place_items": [
                {"item": g["group"], "x": g["x"], "y": g["y"]} for g in group]}}])
        return base, self.path("mod")

    def test_own_pack_first(self):
        base, mod = self.mod_on_base()
        result = run("import", self.file, "--check", base, mod)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stderr.splitlines()
        self.assertEqual(lines[0], "mine: 2 warnings")
        self.assertRegex(lines[1], "mod/a.json:.* hut: warning: MG301: unknown item group 'nope_a'"
                                   r".*\(and 1 more of it in this object\)$")
        self.assertRegex(lines[2], "mod/a.json:.*MG301: unknown item group 'nope_b'")
        self.assertRegex(lines[3], "^base, which others build on: 30 warnings$")
        self.assertTrue(all("base/a.json" in line for line in lines[4:-1]), lines)
        self.assertEqual(lines[-1], "and 12 more warnings and notes (--verbose lists all)")
        alone = run("import", self.file, "--check", base, mod, "--pack", "mine").stderr
        self.assertEqual(alone.splitlines(), lines[1:3])
        other = run("import", self.file, "--check", base, mod, "--pack", "mien").stderr
        self.assertEqual(other, "no remark is on a pack 'mien', did you mean 'mine'?; "
                                "there are some on mine, base\n")
        names = self.pack("names", [])  # the base in several directories, as the games have theirs
        several = run("import", self.file, "--check", names, base, mod).stderr.splitlines()
        self.assertEqual(several, lines)

    def test_codes_are_a_field(self):
        base, mod = self.mod_on_base()
        rows = self.json("import", self.file, "--check", base, mod, "--json", "--pack",
                         "mine")["issues"]
        self.assertEqual([(row["code"], row["pack"]) for row in rows], [("MG301", "mine")] * 2)
        self.assertTrue(rows[1]["message"].startswith("unknown item group 'nope_b'"), rows)
        self.done("import", self.file, base, mod)
        self.assertIn("MG301: unknown item group", self.done(
            "query", self.file, "SELECT message FROM content_issue", "--format", "csv"))

    def test_quiet_and_failed(self):
        """-q: nothing but what is wrong. A refusal: no rows of zeros, and each text once."""
        self.assertEqual(self.done("import", self.file, "--builtin", "-q", "--no-warnings"), "")
        folder = self.pack("bad", TERRAINS + [{"type": "overmap_terrain", "id": "x",
                                               "copy-from": "fild"}])
        result = run("import", self.path("v.db"), folder)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.count("copy-from"), 1, result.stderr)
        self.assertNotRegex(result.stdout, r"(?m) 0$")
        self.assertIn("portolan import: 1 error in the content: nothing was changed\n",
                      result.stderr)

    def test_many_errors(self):
        """Some lines of them, and how many more; all are counted, and all can be had."""
        wrong = [{"type": "overmap_terrain", "id": "x%d" % i, "copy-from": "none%d" % i}
                 for i in range(100)]
        folder = self.pack("wrong", TERRAINS + wrong)
        result = self.failed(1, "Is .*wrong all of the content", "import", self.file, folder,
                             "--no-warnings")
        found = re.findall(r"a\.json:\d+:\d+: (x\d+): ", result.stderr)
        self.assertEqual(found[:20], ["x%d" % i for i in range(20)])
        self.assertIn("\nand 80 more errors (--verbose lists all)\n", result.stderr)
        self.assertIn("100 errors in the content", result.stderr)
        self.assertLessEqual(len(result.stderr.splitlines()), 23)
        result = self.failed(1, "x99: ", "import", self.file, folder, "--verbose")
        self.assertGreaterEqual(len(result.stderr.splitlines()), 101)
        self.assertNotIn("more errors", result.stderr)
        rows = run("import", self.file, folder, "--format", "csv", "--no-header").stdout
        self.assertEqual(sum(row.startswith("error,") for row in rows.splitlines()), 100)

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
            self.assertIn(" --game '%s'\n" % self.path(given), result.stderr)
            self.assertIn("alone is %s.\n" % base, result.stderr)
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


def put_json(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        if isinstance(value, str):
            out.write(value)
        else:
            json.dump(value, out)


def option(name, value):
    return {"type": "EXTERNAL_OPTION", "name": name, "value": value}


class Game(CommandTest):
    """A folder with data/{core,json,names,mods}, as DDA has it."""

    def setUp(self):
        super().setUp()
        self.root = os.path.join(self.folder, "game")
        self.data = os.path.join(self.root, "data")
        os.makedirs(os.path.join(self.data, "json"))
        for name in os.listdir(PACK):
            path = os.path.join(PACK, name)
            if os.path.isdir(path) and name != "pictures":
                shutil.copytree(path, os.path.join(self.data, "json", name))
            elif name.endswith(".json") and name not in ("modinfo.json", "names.json"):
                shutil.copy(path, os.path.join(self.data, "json", name))
        self.put("core/external_options.json", [option("A", 1), option("B", 2)])
        self.put("json/o.json", [option("A", 3), {"type": "oter_vision", "id": "v"}])
        self.put("names/en.json", [{"usage": "city", "name": ["Onlytown"]}])
        self.mod("dda", "dda", core=True, path="../../json")
        self.mod("Far", "far", dependencies=["dda", "near"])
        self.mod("Near", "near", dependencies=["dda"])
        self.mod("Other_Name", "other", dependencies=["dda"])
        self.put("mods/Far/o.json", [option("B", "far"), option("A", "far")])
        self.put("mods/Near/o.json", [option("B", "near")])
        self.put("mods/Near/mod_interactions/other/o.json", [option("C", "both")])
        self.put("core/mod_migrations.json",
                 [{"type": "mod_migration", "id": "older", "new_id": "near"},
                  {"type": "mod_migration", "id": "gone", "removal_reason": "it was dull"}])

    def put(self, path, value):
        put_json(os.path.join(self.data, path), value)

    def mod(self, folder, name, **rest):
        self.put("mods/%s/modinfo.json" % folder,
                 [{"type": "MOD_INFO", "id": name, "name": name, **rest}])

    def take(self, *arguments, root=None):
        told = run("import", self.file, "--game", root or self.root, *arguments)
        self.assertEqual(told.returncode, 0, told.stderr)
        return told.stderr

    def ask(self, sql):
        return self.done("query", self.file, sql, "--format", "csv", "--no-header").split()

    def packs(self):
        return self.ask("SELECT p.id FROM content_pack p JOIN content c ON c.id = p.content_id "
                        "AND c.is_current = 1 ORDER BY p.position")

    def options(self):
        return dict(zip(self.ask("SELECT name FROM external_option ORDER BY name"),
                        self.ask("SELECT value FROM external_option ORDER BY name")))

    def refused(self, *arguments):
        told = run("import", self.file, "--game", self.root, *arguments)
        self.assertEqual(told.returncode, 1, told.stderr)
        self.assertFalse(os.path.exists(self.file))
        return told.stderr

    def test_core_comes_first(self):
        told = self.take()
        self.assertIn("game: note: PK109: Cataclysm: Dark Days Ahead (by mods), version 0.G or 0.H (by "
                      "its files): core, json, names/en.json", told)
        self.assertEqual(self.packs(), ["core", "json", "en.json"])
        self.assertEqual(self.options(), {"A": "3", "B": "2"})
        self.assertEqual(self.ask("SELECT game, placement FROM content_game"), ["dda,sectors"])
        self.done("new", self.file, "w", "--seed", "1")
        self.done("generate", self.file, "--chunk", "0,0", "-q")
        self.assertIn("Onlytown", self.ask("SELECT name FROM city"))

    def test_what_dda_refuses(self):
        """By what its readers check since 0.I; of a game before and of others nothing is said."""
        terrain = {"type": "overmap_terrain", "name": "n", "sym": "b", "color": "white"}
        special = {"type": "overmap_special", "id": "s", "locations": ["land"],
                   "occurrences": [1, 2], "flags": ["UNIQUE"],
                   "overmaps": [{"point": [0, 0, 0], "overmap": "named_north"}]}
        self.put("mods/wrong/modinfo.json", [{"type": "MOD_INFO", "id": "wrong", "name": "w",
                                              "dependencies": ["dda"]}])
        self.put("mods/wrong/a.json", [
            dict(terrain, id="numbered", see_cost=5), dict(terrain, id="without"),
            dict(terrain, id="named", see_cost="low"),
            dict(terrain, id="flagged", see_cost="low", flags=["NO_ROTAT", "NO_ROTATE"]), special])
        told = self.take("--mods", "wrong", "-v")
        self.assertNotIn("DDA refuses it", told)
        self.put("json/obsoletion_and_migration_0.I/x.json", [])
        os.remove(self.file)
        told = self.take("--mods", "wrong", "-v")
        for line in ("numbered: warning: TR104: 'see_cost' is a number: DDA wants one of its names",
                     "without: warning: TR104: no 'see_cost': DDA refuses it",
                     "flagged: warning: TR103: unknown flag 'NO_ROTAT', did you mean 'NO_ROTATE'?: DDA",
                     "s: warning: SP109: in DDA UNIQUE has no effect since 0.H"):
            self.assertIn(line, told)
        self.assertNotRegex(told, "named: warning: .*see_cost")
        special["city_distance"] = [30, 5]
        self.put("mods/wrong/a.json", [dict(terrain, id="named", see_cost="low"), special])
        os.remove(self.file)
        self.assertIn("[30, 5] is reversed: intervals are [least, most]",
                      self.refused("--mods", "wrong", "-v"))

    def test_the_data_folder_will_do(self):
        self.take(root=self.data)
        self.assertEqual(self.packs(), ["core", "json", "en.json"])

    def test_a_snapshot_of_json_alone(self):
        for name in ("core", "names", "mods"):
            shutil.rmtree(os.path.join(self.data, name))
        self.assertIn("nothing tells whether", self.refused())
        self.put("json/world_types.json",
                 [{"type": "world_type", "id": "w", "region_settings": "default"}])
        os.remove(os.path.join(self.data, "json", "o.json"))
        told = self.take()
        self.assertIn("Bright Nights (by json/world_types.json), no version found: json; "
                      "no names/en.json", told)
        self.assertEqual(self.ask("SELECT game, placement FROM content_game"), ["bn,quota"])
        # A save of it lists the game itself as a mod, which a snapshot without mods has not.
        save = os.path.join(self.folder, "save")
        put_json(os.path.join(save, "mods.json"), ["bn"])
        self.take("--save", save)
        put_json(os.path.join(save, "mods.json"), ["bn", "far"])
        os.remove(self.file)
        self.assertIn("far: PK101: no such mod", self.refused("--save", save))

    def test_mods_with_what_they_need(self):
        self.take("--mods", "far")
        self.assertEqual(self.packs(), ["core", "json", "en.json", "near", "far"])
        self.assertEqual(self.options(), {"A": "far", "B": "far"})
        self.take("--mods", "far,,near", "--mods", "other,dda")
        self.assertEqual(self.packs(), ["core", "json", "en.json", "near", "far", "other",
                                        "near/mod_interactions/other"])
        self.assertEqual(self.options()["C"], "both")

    def test_unknown_mods_are_named_all_at_once(self):
        told = self.refused("--mods", "naer,Other_Name,zzzzzz")
        self.assertRegex(told, "naer: PK101: no such mod among the 4 in .*/mods, did you mean 'near'")
        self.assertIn("Other_Name: PK101: no such mod; the folder of that name has the mod 'other'", told)
        self.assertRegex(told, "zzzzzz: PK101: no such mod among the 4 in .*/mods\n")
        self.mod("Near", "near", dependencies=["missing"])
        self.assertIn("missing: PK101: no such mod, which is needed by near among", self.refused(
            "--mods", "near"))

    def test_a_saved_world(self):
        save = os.path.join(self.folder, "save")
        put_json(os.path.join(save, "mods.json"), ["dda", "older", "gone", "far"])
        told = self.take("--save", save)
        self.assertIn("older: warning: PK107: the game has this mod no longer: it is now 'near'", told)
        self.assertIn("gone: warning: PK107: the game has this mod no longer: it was dull", told)
        self.assertEqual(self.packs(), ["core", "json", "en.json", "near", "far"])
        os.remove(self.file)
        put_json(os.path.join(save, "mods.json"), ["dda", "strange", 7])
        told = self.refused("--save", save)
        self.assertIn("strange: PK101: no such mod", told)
        self.assertIn("entry 3 is no id of a mod", told)
        for text, words in (("{}", "is no list of mods"), ("[", "is no JSON")):
            put_json(os.path.join(save, "mods.json"), text)
            self.assertIn(words, self.refused("--save", save))
        self.assertIn("it is no folder of a saved world", self.refused("--save", self.root))

    def test_what_is_the_games_own(self):
        """A save of it lacks nothing of core, json and names, but of a mod that it does not list."""
        save = os.path.join(self.folder, "save")
        for name, data in (("mods.json", ["dda"]), ("worldoptions.json", []), ("A.sav", {})):
            put_json(os.path.join(save, name), data)
        with open(os.path.join(save, "master.gsav"), "w", encoding="utf-8") as file:
            file.write("# version 33\n{}")
        age(save)
        self.take("--mods", "near")
        self.done("new", self.file, "w", "--seed", "1")
        self.done("generate", self.file, "--chunk", "0,0", "-q")
        told = self.done("export", self.file, "--into", save)
        self.assertIn("content of the world: core (taken for the game's), json (taken for the "
                      "game's), en.json (taken for the game's), near (a mod); ", told)

    def test_version_and_name(self):
        put_json(os.path.join(self.root, "VERSION.txt"), "build type: x\nbuild number: 2026-11-23\n")
        shutil.rmtree(os.path.join(self.data, "mods"))
        put_json(os.path.join(self.root, "README.md"), "# Cataclysm: Bright Nights\nno Dark Days Ahead")
        self.assertIn("Bright Nights (by README.md), version 2026-11-23 (by VERSION.txt)",
                      self.take())
        self.assertIn("game: Bright Nights, 2026-11-23; new worlds place specials by sectors",
                      self.done("status", self.file))

    def test_misuse(self):
        self.assertEqual(run("import", self.file, "--mods", "a").returncode, 2)
        told = run("import", self.file, PACK, "--save", "x")
        self.assertEqual(told.returncode, 2)
        self.assertIn("say --game DIR", told.stderr)
        self.assertIn("neither data/json nor json", run(
            "import", self.file, "--game", os.path.join(self.data, "names")).stderr)
        self.assertIn("No such file", run("import", self.file, "--game", "/nowhere").stderr)
        self.assertIn("import '%s' --game" % self.file, run("import", self.file, self.root).stderr)

    def made(self, **options):
        """A chunk under these options: crossings but rivers, specials asked for, buildings."""
        self.put("core/external_options.json",
                 [option(name, value) for name, value in options.items()])
        self.take()
        self.done("new", self.file, "w", "--seed", "1")
        self.done("generate", self.file, "--chunk", "0,0", "-q")
        counts = [int(self.ask(sql)[0]) for sql in (
            "SELECT count(*) FROM crossing WHERE kind <> 'river'",
            "SELECT count(*) FROM attempt", "SELECT count(*) FROM building")]
        region, rails = self.ask("SELECT region || ' ' || railroads FROM world")
        os.remove(self.file)
        return counts, region.strip('"'), rails.strip('"')

    def test_options_that_worlds_follow(self):
        (crossings, specials, buildings), region, rails = self.made()
        self.assertTrue(crossings and specials and buildings)
        self.assertEqual((region, rails), ("default", "0"))
        (none, specials, buildings), _, _ = self.made(OVERMAP_PLACE_ROADS=False)
        self.assertTrue(none == 0 and specials and buildings)
        (none, specials, buildings), _, _ = self.made(
            OVERMAP_POPULATE_OUTSIDE_CONNECTIONS_FROM_NEIGHBORS=False)
        self.assertTrue(none == 0 and specials and buildings)
        (crossings, none, buildings), _, _ = self.made(OVERMAP_PLACE_SPECIALS=False)
        self.assertTrue(crossings and none == 0 and buildings)
        (crossings, _, none), _, rails = self.made(OVERMAP_PLACE_CITIES=False,
                                                   OVERMAP_PLACE_RAILROADS=True)
        self.assertTrue(crossings and none == 0 and rails == "1")
        self.assertEqual(self.made(DEFAULT_REGION="marsh")[1], "marsh")
        self.assertEqual(self.made(DEFAULT_REGION="nowhere")[1], "default")

    def test_regions_by_name(self):
        self.put("json/d.json", [
            {"type": "dimension_region_layout", "id": "l", "generation_mode": "UNIFORM",
             "uniform_region": "default"},
            {"type": "dimension", "id": "elsewhere", "region_layout": "l"},
            {"type": "dimension_region_layout", "id": "m", "generation_mode": "ANGLES"},
            {"type": "dimension", "id": "many", "region_layout": "m"}])
        self.take()
        told = self.done("new", self.file, "w", "--seed", "1", "--region", "elsewhere")
        self.assertIn("Its region is default, and specials are placed by sectors, as in the "
                      "content's game.", " ".join(told.split()))
        told = self.done("new", self.file, "v", "--seed", "1", "--placement", "quota")
        self.assertIn("placed by quota.", " ".join(told.split()))
        told = run("new", self.file, "u", "--seed", "1", "--region", "many")
        self.assertEqual(told.returncode, 1)
        self.assertIn("--regions", told.stderr)
        listed = self.done("status", self.file, "--section", "regions", "--format", "csv",
                           "--no-header").split("\n")
        rivers = next(line for line in listed if line.startswith("default,")).split(",")[4]
        self.assertIn(rivers, ("none", "walked"))
        self.assertIn("elsewhere,default,dimension,," + rivers, listed)
        self.assertIn("many,,dimension,,", listed)
        self.assertIn("default,default,region_settings,yes," + rivers, listed)


class Debian(CommandTest):
    @unittest.skipUnless(os.path.isdir(GAME_0F), "cataclysm-dda-data is not installed")
    def test_0f(self):
        told = self.done("import", self.file, "--game", GAME_0F, "--mods", "desertpack")
        self.assertIn("imported", told)
        row = self.done("query", self.file, "SELECT game, version, placement FROM content_game",
                        "--format", "csv", "--no-header")
        self.assertEqual(row.strip(), "dda,0.F or before,quota")
        rows = self.done("query", self.file, "SELECT count(*) FROM region_number", "--format",
                         "csv", "--no-header")
        self.assertEqual(rows.strip(), "0")


if __name__ == "__main__":
    unittest.main()
