"""Everything that is printed is safe to print: a world whose names are hostile, in every command
and every format; hostile operands and values of options; hostile files to read.
With short counts (PORTOLAN_QUICK) a third of the commands has its turn."""

import csv
import fcntl
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unicodedata
import unittest
import xml.etree.ElementTree

from support import COMMAND, SOURCE, CommandTest, by_turns

sys.path.insert(0, os.path.join(SOURCE, "tests", "support"))
from reseal import reseal  # noqa: E402 pylint: disable=wrong-import-position

# Escape sequences (7 and 8 bits), a bell, backspaces, overrides of direction, what is not seen,
# line separators, and a line that the program never printed.
EVIL = ("\x1b[31m\x9b2J\x07\b\x7f\u202e\u2066\u200b\u200d\ufeff\u061c\u2028\U000e0041\ufe0f\u00ad"
        "\nFORGED '; \"x\" <b> & \r\tz")
FORMULA = "=cmd|'/c calc'!A1 "
# As far as content may go: ids of 63 bytes at most, without C0. A second file has EVIL in place of
# it in all its texts, and checksums that fit.
MARK = "\u2066\x9b"
FILE_EVIL = EVIL.replace("/", "")
BROKEN = b"\xff\x9b\xc3\xed\xa0\x80"  # bytes that are no UTF-8, CSI among them

# Of category Cf, but seen: signs that stand before or above numbers, joined hieroglyphs.
SEEN = set(range(0x600, 0x606)) | {0x6dd, 0x70f, 0x890, 0x891, 0x8e2, 0x110bd, 0x110cd} | \
    set(range(0x13430, 0x13440))
# Not of categories C* and Z*, but not seen: default ignorable.
UNSEEN = {0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0} | set(range(0x180b, 0x1810)) | \
    set(range(0xfe00, 0xfe10)) | set(range(0xe0000, 0xe1000))


def is_unsafe(character):
    code = ord(character)
    if code in UNSEEN or code & 0xfffe == 0xfffe or 0xfdd0 <= code <= 0xfdef:
        return True
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and code not in SEEN


def unsafe_of(text, allowed="\n"):
    return sorted({"U+%04X" % ord(c) for c in text if c not in allowed and is_unsafe(c)})


def hostile_content(folder):
    """A little of our own pack with hostile ids and names; returns them by kind."""
    with open(os.path.join(SOURCE, "tests", "files", "content", "small.json"),
              encoding="utf-8") as file:
        text = file.read()
    names = {kind: FORMULA + kind + MARK
             for kind in ("special", "mutable", "terrain", "building", "connection", "region")}
    for old, kind in (("woodland_cabin", "special"), ("cabin", "terrain")):
        for tail in ("", "_north"):
            text = text.replace(json.dumps(old + tail), json.dumps(names[kind] + tail))
    objects = json.loads(text)
    for o in objects:
        if o["type"] == "overmap_special" and o["id"] == "burnt_wood":
            o["id"] = names["mutable"]
        if o["type"] == "overmap_special" and o["id"] == "ranger_station":
            o["connections"][0]["connection"] = names["connection"]
        if o["type"] == "city_building" and o["id"] == "cottage":
            o["id"] = names["building"]
        if o["type"] == "overmap_terrain" and o.get("id") == names["terrain"]:
            o["name"] = {"str": FORMULA + "name" + MARK}
        if o["type"] == "region_settings":
            o["city"]["houses"] = {names["building"]: 1}
    for kind, like in (("region", "region_settings"), ("connection", "overmap_connection")):
        objects.append(dict(next(o for o in objects if o["type"] == like), id=names[kind]))
    names["city"] = FORMULA + "ville" + MARK
    objects.append({"type": "snippet", "category": "portolan_town", "text": [names["city"]]})
    names["mod"] = "mod" + MARK
    with open(os.path.join(folder, "a" + FILE_EVIL + ".json"), "w", encoding="utf-8") as file:
        json.dump(objects, file)
    with open(os.path.join(folder, "modinfo.json"), "w", encoding="utf-8") as file:
        json.dump([{"type": "MOD_INFO", "id": names["mod"], "name": "name" + MARK,
                    "dependencies": [], "category": "content"}], file)
    return names


def make_hostile(path):
    """EVIL in place of MARK in every text of the file, with true checksums; symbols of terrains
    become controls, too."""
    db = sqlite3.connect(path)
    db.execute("PRAGMA ignore_check_constraints = ON")
    tables = [name for name, sql in db.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'table'").fetchall()
        if not name.startswith("sqlite_") and not sql.startswith("CREATE VIRTUAL")]
    for table in tables:
        for _, column, kind, *_ in db.execute("PRAGMA table_info(%s)" % table).fetchall():
            if kind == "TEXT":
                db.execute('UPDATE %s SET "%s" = replace("%s", ?, ?) WHERE instr("%s", ?)' %
                           (table, column, column, column), (MARK, EVIL, MARK))
    for terrain, symbol in (("field", 0x9b), ("forest", 0x1b), ("forest_thick", 0x202e),
                            ("rock", 0x0a), ("road_ns", 0x200b), ("open_air", 0x301)):
        found = db.execute("UPDATE concrete_terrain SET symbol = ? WHERE id = ?",
                           (symbol, terrain)).rowcount
        assert found == 1, terrain
    reseal(db)
    db.close()


class PrintingTest(CommandTest):
    """One world file for all tests, in a folder with a hostile name."""

    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.mkdtemp(prefix="portolan-cli-")
        cls.addClassCleanup(shutil.rmtree, cls.top)
        cls.home = os.path.join(cls.top, "w" + FILE_EVIL)
        os.mkdir(cls.home)
        cls.content = os.path.join(cls.home, "content")
        os.mkdir(cls.content)
        cls.names = hostile_content(cls.content)
        names = {"world": FORMULA + "world" + MARK, "sweep": FORMULA + "sweep" + MARK}
        cls.before = os.path.join(cls.home, "w.db")  # imported and generated
        cls.made = os.path.join(cls.home, "hostile.db")  # altered by a hostile hand
        small = ["--city-size", "3", "--city-spacing", "6", "--specials-density", "3"]
        for words in (["import", cls.before, cls.content],
                      ["new", cls.before, names["world"], "--seed", str(2 ** 64 - 1), "--region",
                       cls.names["region"], *small],
                      ["generate", cls.before, "--rect", "0,0,1,1"],
                      ["sweep", cls.before, names["sweep"], "--seeds", "1..3", *small]):
            done = subprocess.run([COMMAND, *words], capture_output=True, check=False)
            assert done.returncode == 0, (words, done.stdout, done.stderr)
        shutil.copyfile(cls.before, cls.made)
        make_hostile(cls.made)
        cls.names_before = dict(names, **cls.names)
        cls.names = {kind: name.replace(MARK, EVIL) for kind, name in cls.names_before.items()}
        cls.world, cls.sweep = cls.names["world"], cls.names["sweep"]

    def setUp(self):
        super().setUp()
        self.file = os.path.join(self.home, "copy.db")
        self.fresh = os.path.join(self.home, "fresh.db")
        self.begin()

    def begin(self):
        shutil.copyfile(self.made, self.file)
        shutil.copyfile(self.before, self.fresh)
        self.used = set()

    def shown(self, *words, code=0, allowed="\n", stdin=b""):
        """Runs a command, whose output must be safe; returns standard output."""
        self.used.add(words[0])
        done = subprocess.run([COMMAND, *words], input=stdin, capture_output=True, check=False,
                              timeout=240, cwd=self.folder)
        if code is not None:
            self.assertEqual(done.returncode, code, (words, done.stdout, done.stderr))
        out = done.stdout.decode("utf-8")
        errors = done.stderr.decode("utf-8")
        # The drawn line of a progress is not here: standard error is no terminal.
        self.assertEqual(unsafe_of(errors), [], (words, errors))
        self.assertEqual(unsafe_of(out, allowed), [], (words, out[:2000]))
        self.assertNotRegex(errors, "(?m)^FORGED")
        if "\r" not in allowed:
            self.assertNotRegex(out, "(?m)^FORGED")
        return out

    def shown_csv(self, *words, code=0):
        """Each text that a spreadsheet would run has its apostrophe."""
        text = self.shown(*words, code=code, allowed="\n\t\r")
        self.assertEqual(text.count("\r"), text.count("\r\n"))
        rows = list(csv.reader(io.StringIO(text, newline="")))
        self.assertGreater(len(rows), 0)
        for cell in (cell for row in rows for cell in row):
            if cell[:1] in tuple("=+-@\t\n"):
                float(cell)
        return rows

    def shown_json(self, *words, code=0):
        """Nothing is lost: the names come back as they were."""
        return json.loads(self.shown(*words, code=code))

    def query(self, sql, *more):
        return self.shown_json("query", self.file, sql, "--format", "json", *more)

    # ---- the commands ----

    def run_query(self):
        sql = "SELECT special, draw FROM v_special ORDER BY special"
        self.shown("query", self.file, sql)
        self.assertIn(["'" + FORMULA + "special"], [
            [cell[:len(FORMULA) + 8]] for row in self.shown_csv("query", self.file, sql,
                                                               "--format", "csv") for cell in row])
        found = {row["special"] for row in self.query(sql)}
        self.assertLessEqual({self.names["special"], self.names["mutable"]}, found)
        head = '"%s"' % EVIL.replace('"', '""')
        self.shown("query", self.file, "SELECT 1 AS " + head)
        self.shown_csv("query", self.file, "SELECT 1 AS " + head, "--format", "csv")
        self.assertEqual(self.query("SELECT 1 AS " + head), [{EVIL: 1}])
        broken = "SELECT CAST(x'%s' AS TEXT) AS t" % BROKEN.hex()
        self.assertIn("\\xff\\x9b\\xc3\\xed\\xa0\\x80", self.shown("query", self.file, broken))
        self.shown_csv("query", self.file, broken, "--format", "csv")
        self.assertEqual(self.query(broken), [{"t": "\ufffd" * 6}])
        self.shown("query", self.file, "SELECT " + head, code=1)
        self.shown("query", self.file, "-", stdin=b"SELECT '" + BROKEN + b"' FROM " + BROKEN,
                   code=1)
        every = ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 55295) "
                 "SELECT group_concat(char(i), '') AS t FROM n")
        self.shown("query", self.file, every)
        self.shown_csv("query", self.file, every, "--format", "csv")
        self.assertEqual(self.query(every)[0]["t"], "".join(map(chr, range(1, 0xd800))))
        every = ("WITH RECURSIVE n(i) AS (SELECT 65536 UNION ALL SELECT i + 7 FROM n WHERE i + 7 < "
                 "1114112) SELECT group_concat(char(i), '') AS t FROM n")
        self.assertEqual(self.query(every)[0]["t"], "".join(map(chr, range(0x10000, 0x110000, 7))))

    def run_import(self):
        self.shown("import", self.file, self.content)
        self.shown("import", self.file, "--check", self.content, "--json")
        bad = os.path.join(self.folder, "bad" + FILE_EVIL)
        os.mkdir(bad)
        for number, text in enumerate([
                json.dumps([{"type": "overmap_terrain", "id": EVIL, "sym": EVIL, EVIL: 1},
                            {"type": "overmap_location", "id": EVIL, "terrains": [EVIL]},
                            {"type": "overmap_special", "id": EVIL, "flags": [EVIL],
                             "locations": [EVIL], "overmaps": [{"overmap": EVIL}]}]).encode(),
                b'[{"type": "' + BROKEN + b'"}]', b"[\x1b\x9b", b'{"a\x1b": 1}']):
            with open(os.path.join(bad, "%d%s.json" % (number, FILE_EVIL)),
                      "wb") as file:
                file.write(text)
        self.shown("import", self.file, bad, code=1)
        self.shown("lint", bad, code=1)
        self.shown_csv("lint", bad, "--format", "csv", code=1)
        for form in ("json", "sarif"):
            self.shown_json("lint", bad, "--format", form, code=1)
        text = self.shown("lint", bad, "--format", "junit", code=1)
        self.assertTrue(list(xml.etree.ElementTree.fromstring(text).iter("failure")))
        self.shown("lint", bad, "--format", "github", code=1)
        self.shown("lint", bad, "--write-baseline", self.path("known"))
        self.shown("lint", bad, "--baseline", self.path("known"))
        self.shown("import", self.file, "--lenient", bad)  # without what is wrong: nothing is left
        self.shown("import", self.file, os.path.join(self.folder, FILE_EVIL), code=1)

    def run_lint(self):
        self.shown("lint", self.file)
        self.shown("lint", self.file, "--pack", EVIL, code=2)
        self.shown("lint", self.file, "--errors", EVIL, code=2)
        self.shown("lint", EVIL + "2", code=2)

    def run_loot(self):
        self.shown("loot", self.file, "--samples", "2", code=None)
        self.shown_csv("loot", self.file, "--samples", "2", "--format", "csv", code=None)
        self.shown("loot", self.file, "--item", EVIL, code=1)
        self.shown("loot", self.file, "--in", EVIL, code=1)
        self.shown("loot", self.file, "--in", EVIL, "--group", EVIL, "--tree", code=1)
        self.shown("loot", self.file, "--near", EVIL, code=2)

    def run_mapgen(self):
        self.shown("mapgen", EVIL, self.file, code=None)
        self.shown("mapgen", "no" + EVIL, self.file, code=1)
        self.shown("mapgen", "cabin", self.file, "--param", "x=" + EVIL, code=1)
        self.shown("mapgen", "cabin", self.file, "--param", EVIL, code=2)
        self.shown("mapgen", "cabin", self.file, "--neighbours", "north=" + EVIL, code=1)
        self.shown("mapgen", "cabin", self.file, "--neighbours", EVIL + "=field", code=1)
        self.shown("mapgen", "cabin", EVIL + "2", code=2)
        self.shown("mapgen", "*", self.file, "--check", code=None)
        self.shown("mapgen", EVIL, self.file, "--entries", "--format", "csv", code=None)
        self.shown("mapgen", EVIL, self.file, "--explain", "7,7", code=None)

    def run_lsp(self):
        self.shown("lsp", "--builtin", code=1)
        self.shown("lsp", EVIL + "2", code=2)

    def run_change(self):
        mod = os.path.join(self.folder, "evil mod")
        os.makedirs(mod, exist_ok=True)
        objects = [{"type": "overmap_terrain", "id": EVIL, "name": EVIL, "sym": "e", "color": "red"},
                   {"type": "item_group", "id": EVIL, "entries": [{"item": EVIL}]},
                   {"type": "mapgen", "om_terrain": EVIL, "object": {"fill_ter": "t_grass"}},
                   {"type": "overmap_special", "id": EVIL, "locations": ["forest"], "occurrences": [1, 2],
                    "overmaps": [{"point": [0, 0, 0], "overmap": EVIL}]}]
        with open(os.path.join(mod, "a.json"), "w", encoding="utf-8") as file:
            json.dump(objects, file)
        html, markdown = self.path("r.html"), self.path("r.md")
        for words in (["--after", mod], ["--before", mod]):
            few = ["change", "--builtin", *words, "--overmaps", "2"]
            self.shown(*few, "--html", html, "--markdown", markdown, code=None)
            for path in (html, markdown):
                with open(path, encoding="utf-8") as file:
                    self.assertNotRegex(file.read(), "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")
            self.shown_json(*few, "--format", "json", code=None)
            xml.etree.ElementTree.fromstring(self.shown(*few, "--format", "junit", code=None))
            self.shown_csv(*few, "--list", "definitions", "--format", "csv", code=None)
            self.shown(*few, "--format", "github", code=None)
        few = ["change", "--builtin", "--after", mod, "--overmaps", "2"]
        self.shown(*few, "--allow", self.write("allow", EVIL + "\n"), code=None)
        for option in ("--pack", "--without", "--list"):
            self.shown(*few, option, EVIL, code=2)

    def run_coverage(self):
        few = ["coverage", self.file, "--overmaps", "2", "--until", "2"]
        self.shown(*few, "--kind", "special", "--verdict", "comes,never", code=None)
        self.shown_csv(*few, "--kind", "building,extra", "--format", "csv", code=None)
        self.shown(*few, "--format", "github", code=None)
        for option in ("--pack", "--kind", "--verdict"):
            self.shown(*few, option, EVIL, code=2)
        self.shown(*few, "--whitelist", EVIL, code=1)

    def run_new(self):
        self.shown("new", self.file, "w2" + MARK, "--seed", "1")
        self.shown("new", self.file, "w2" + MARK, "--seed", "1", code=1)
        self.shown("new", self.file, EVIL, "--seed", "1", code=1)
        self.shown("new", self.file, "w3", "--seed", "1", "--region", EVIL, code=1)

    def run_generate(self):
        self.shown("generate", self.file, "--chunk", "0,2", "--times")
        self.shown("generate", self.file, "--list", self.write("list", "1,2\n" + EVIL), code=1)

    def run_edit(self):
        self.shown("edit", self.file, "9,9", "--set", EVIL, code=1)
        self.shown("edit", self.file, "9,9", "--set", "field", "--author", EVIL, code=1)
        self.shown("edit", self.file, "9,9", "--set", "field", "--text", EVIL, code=1)
        self.shown("edit", self.file, "9,9", "--set", "field", "--author", "ann", "--text", "a pond")
        self.shown("edit", self.file, "--list")
        self.shown_json("edit", self.file, "--list", "--json")
        self.shown("edit", self.file, "--show", "1")
        self.shown("edit", self.file, "--undo", "1")
        self.shown("edit", self.file, "--undo", "1", code=1)

    def run_import_tiled(self):
        with open(self.path("m.tmx"), "w", encoding="utf-8") as file:
            name = EVIL.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;").replace("\n", "&#10;")
            name = "".join(c for c in name if c >= " " or c == "\t")  # XML has no other controls
            file.write('<map infinite="1"><tileset firstgid="1"><tile id="0" type="%s"/></tileset><layer name="%s"><properties><property '
                       'name="z" value="0"/></properties><data encoding="csv"><chunk x="1" y="1" width="1" height="1">1</chunk></data></layer>'
                       '<objectgroup name="%s"/></map>' % (name, name, name))
        self.shown("import-tiled", self.file, "m.tmx", code=1)
        self.shown("import-tiled", self.file, "m.tmx", "--lenient", "--author", EVIL, code=1)
        self.shown_json("import-tiled", self.file, "m.tmx", "--lenient", "--format", "json")

    def run_note(self):
        for option in ("--text", "--viewer", "--symbol", "--colour"):
            more = [] if option == "--text" else ["--text", "a"]
            self.shown("note", self.file, "9,9", option, EVIL, *more, code=1)
        self.shown("note", self.file, EVIL, "--text", "a", code=2)
        self.shown("note", self.file, "9,9", "--text", "caf\u00e9" + MARK, "--viewer", "a" + MARK, "--symbol", MARK)
        self.shown("note", self.file, "--list")
        self.shown_csv("note", self.file, "--list", "--format", "csv")
        self.assertEqual(self.shown_json("note", self.file, "--list", "--json")[0]["viewer"], "a" + MARK)
        self.shown("note", self.file, "9,9", "--remove", "--viewer", EVIL, code=1)

    def run_marks(self):
        self.shown("marks", self.file, "--add", "--rect", "0,0,1,1", "--viewer", EVIL, code=1)
        self.shown("marks", self.file, "--add", "--rect", "0,0,1,1", "--kind", EVIL, code=2)
        self.shown("marks", self.file, "--add", "--rect", EVIL, code=2)
        self.shown("marks", self.file, "--add", "--rect", "0,0,1,1", "--viewer", "a" + MARK)
        self.shown("marks", self.file, "--list")
        self.shown_csv("marks", self.file, "--list", "--format", "csv")
        self.assertEqual(self.shown_json("marks", self.file, "--list", "--json")[0]["viewer"], "a" + MARK)
        self.shown("marks", self.file, "--show", "--rect", "0,0,1,1", "--viewer", EVIL, code=1)

    def run_regenerate(self):
        self.shown("regenerate", self.file, "--chunk", "0,0")
        self.shown("regenerate", self.file, "--stale")

    def run_status(self):
        self.shown("status", self.file, "--stale")
        self.shown("status", self.file, "--world", self.world)
        about = self.shown_json("status", self.file, "--json")
        self.assertEqual(about["worlds"][0]["world"], self.world)
        self.assertEqual(about["sweeps"][0]["sweep"], self.sweep)
        self.assertEqual(about["packs"][0]["id"], self.names["mod"])
        self.assertEqual(about["file"], self.file)

    def place_of(self, terrain):
        row = self.query("SELECT x, y, z FROM omt WHERE z = 0 AND substr(oter, 1, %d) = '%s' AND chunk_x "
                         "BETWEEN 0 AND 1 AND chunk_y BETWEEN 0 AND 1 LIMIT 1" %
                         (len(terrain), terrain.replace("'", "''")))[0]
        return "%d,%d,%d" % (row["x"], row["y"], row["z"])

    def run_local(self):
        tile = self.place_of(self.names["terrain"])
        self.shown("local", self.file, tile)
        self.shown("local", self.file, tile, "--entities")
        self.shown_json("local", self.file, tile, "--json")
        self.shown("local", self.file, EVIL, code=2)

    def run_show(self):
        tile = self.place_of(self.names["terrain"])
        self.shown("show", self.file, "--omt", tile)
        about = self.shown_json("show", self.file, "--omt", tile, "--json")
        self.assertEqual(about["name"], FORMULA + "name" + EVIL)
        self.shown("show", self.file, "--chunk", "0,0")
        self.shown_json("show", self.file, "--chunk", "0,0", "--json")
        self.shown("show", self.file, "--edge", "0,0")
        self.shown_json("show", self.file, "--edge", "0,0", "--json")
        self.shown("show", self.file, "--chunk", "9,9", code=1)

    def run_dump(self):
        x, y, z = map(int, self.place_of(self.names["terrain"]).split(","))
        rows = self.shown_csv("dump", self.file, "--chunk", "%d,%d" % (x // 180, y // 180))
        self.assertTrue(rows[y % 180][x % 180].startswith("'" + FORMULA), z)
        self.shown("dump", self.file, "--chunk", "0,0", "--symbols")
        self.shown("dump", self.file, "--chunk", "9,9", code=1)

    def run_diff(self):
        place = self.place_of(self.names["terrain"])
        self.shown("edit", self.file, place, "--set", "field")
        for more in ([], ["--summary"]):
            self.shown("diff", self.file, "--base", *more)
            rows = self.shown_json("diff", self.file, "--base", *more, "--json")
            self.assertTrue(any(row["before"].startswith(FORMULA + "terrain") for row in rows))
            self.shown_csv("diff", self.file, "--base", *more, "--format", "csv")
        self.shown("diff", self.file + ":" + EVIL, self.file, code=1)

    def run_digest(self):
        self.shown("digest", self.file)
        self.shown("digest", self.file, "--world", EVIL, code=1)

    def run_serve(self):
        self.shown("serve", self.file, "--seconds", "0")
        self.shown("serve", self.file, "--listen", EVIL, "--host", "box", "--seconds", "0", code=1)
        self.shown("serve", self.file, "--listen", "127.0.0.1", "--host", EVIL, code=2)

    def run_view(self):
        self.shown("view", self.file, code=2)  # no terminal; tests/view has one
        self.shown("view", self.file, "--world", EVIL, code=1)
        self.shown("view", self.file, "--center", EVIL, code=1)

    def run_shoals(self):
        self.shown("shoals", "--size", "20x9")
        self.shown("shoals", "--size", EVIL, code=2)
        self.shown("shoals", "--png", os.path.join(self.folder, "s\x1b\n.png"))
        self.shown("shoals", "--png", os.path.join(self.folder, "no\x1b", "\n.png"), code=1)

    def run_render(self):
        self.shown("render", self.file, "--text", "--color", "never")
        coloured = self.shown("render", self.file, "--text", "--color", "always",
                              allowed="\n\x1b")
        self.assertEqual(unsafe_of(re.sub(r"\x1b\[[0-9;]*m", "", coloured)), [])
        self.shown("render", self.file, "-o", os.path.join(self.folder, "a\x1b\n.png"))
        self.shown("render", self.file, "-o", os.path.join(self.folder, "no\x1b", "\n.png"),
                   code=1)
        empty = os.path.join(self.home, "empty.db")
        shutil.copyfile(self.file, empty)
        self.shown("new", empty, "other" + MARK, "--seed", "1")
        self.shown("render", empty, "--text", "--world", "other" + MARK, code=1)

    def run_verify(self):
        self.shown("verify", self.fresh, "--seams")
        self.shown("verify", self.file, code=1)  # omt_digest has the old names
        self.damage()
        self.shown("verify", self.file, code=1)

    def damage(self):
        """Texts of several tables become bytes that are no UTF-8, and others."""
        db = sqlite3.connect(self.file)
        text = "CAST(x'%s' AS TEXT) || char(155, 27, 8238)" % BROKEN.hex()
        for sql in ("UPDATE name SET name = %s WHERE id = 2", "UPDATE city SET name = %s",
                    "UPDATE overmap_terrain SET name = %s WHERE id = 'field'",
                    "UPDATE run SET command = %s", "UPDATE event SET detail = %s",
                    "UPDATE event SET kind = %s"):
            db.execute(sql % text)
        db.commit()
        db.close()

    def run_repair(self):
        self.damage()
        self.shown("repair", self.file, "--dry-run", code=None)
        self.shown("repair", self.file, code=None)
        self.shown("status", self.file)

    def run_backup(self):
        to = os.path.join(self.home, "to" + FILE_EVIL)
        self.shown("backup", self.file, to)
        self.shown("backup", self.file, to, code=1)
        os.remove(to)

    def run_export(self):
        to = os.path.join(self.home, "save" + FILE_EVIL)
        self.shown("export", self.file, to, "--format", "dda-save")
        self.shown("export", self.file, to, "--format", "dda-save", code=1)
        to = os.path.join(self.home, "map" + FILE_EVIL)
        self.shown("export", self.file, to, "--format", "geojson")
        self.shown("export", self.file, to, "--format", "geojson", code=1)
        self.shown("export", self.file, to + ".gpkg", "--format", "gpkg")

    def run_import_save(self):
        saves = os.path.join(self.home, "saves" + FILE_EVIL)
        os.mkdir(saves)
        for text in (b"# version 33\n{\"" + EVIL.encode() + b"\": ", b"# version 33\n" + BROKEN,
                     b"# version 33\n" + json.dumps({"layers": [[[EVIL, 32400]]]}).encode()):
            with open(os.path.join(saves, "o.7.7"), "wb") as file:
                file.write(text)
            self.shown("import-save", self.file, saves, code=1)
            self.shown("import-save", self.file, saves, "--lenient", code=1)
        shutil.rmtree(saves)

    def run_journal(self):
        self.shown("journal", self.file)
        self.shown("journal", self.file, "wal")
        self.shown("journal", self.file, "truncate")

    def run_migrate(self):
        self.shown("migrate", self.file)

    def run_why(self):
        for special in (self.names["special"], self.names["mutable"], self.names["building"]):
            self.shown("why", self.file, special)
            self.shown("why", self.file, special, "--chunk", "0,0")
            self.shown("why", self.file, special, "--at", "9,9")
            self.shown_json("why", self.file, special, "--json")
            self.shown_json("why", self.file, special, "--json", "--chunk", "0,0")
        self.shown("why", self.file, EVIL, code=1)

    def run_replay(self):
        special = self.names_before["mutable"]
        row = self.shown_json("query", self.fresh, "SELECT chunk_x, chunk_y, number FROM v_special "
                              "WHERE special = '%s'" % special.replace("'", "''"),
                              "--format", "json")[0]
        out = self.shown("replay", self.fresh, "%(chunk_x)d,%(chunk_y)d:%(number)d" % row)
        self.assertIn(FORMULA + "mutable\\u2066\\u009b at", out)
        self.shown("replay", self.file, "0,0:9999", code=1)

    def run_try(self):
        for special in (self.names["special"], self.names["mutable"]):
            self.shown("try", self.file, special, "--times", "20", code=None)
            self.shown("try", self.file, special, "--times", "20", "--json", code=None)
            self.shown("try", self.file, special, "--on-world", code=None)
        self.shown("try", self.file, EVIL, code=1)

    def run_sweep(self):
        self.shown("sweep", self.file, self.sweep, "--precision", "0.5")
        self.shown_json("sweep", self.file, self.sweep, "--precision", "0.5", "--json")
        self.shown("sweep", self.file, self.sweep, "--seeds", "4", code=1)
        self.shown("sweep", self.file, self.sweep, "--precision", "0.5", "--special", EVIL,
                   code=1)
        self.shown("sweep", self.file, self.sweep, "--delete")

    def run_index(self):
        self.shown("index", self.file)
        self.shown("index", self.file, "--tables", EVIL, code=2)
        self.shown("index", self.file, "--drop")

    def run_stats(self):
        which = ["--world", self.world]
        for sample in (which, ["--sweep", self.sweep]):
            self.shown("stats", self.file, *sample, "--all")
            about = self.shown_json("stats", self.file, *sample, "--all", "--format", "json")
            self.assertEqual(about["sample"]["name"], sample[1])
            self.assertIn(self.names["special"], [s["special"] for s in about["specials"]])
        sections = re.search(r"Sections of --section:([^O]*?)\n\n", self.shown("stats", "--help"))[1]
        self.assertGreater(len(sections.split(",")), 8)
        for name in sections.split(","):
            more = [s["special"] for s in about["specials"] if s["special"] != self.names["special"]]
            more = more[:1] if name.strip() == "neighbours" else []  # it is of two at least
            section = [*which, self.names["special"], *more, "--section", name.strip()]
            self.shown("stats", self.file, *section)
            self.shown_csv("stats", self.file, *section, "--format", "csv")
        self.shown_csv("stats", self.file, *which, "--section", "specials", "--format", "csv")
        self.shown("stats", self.file, *which, self.names["special"], self.names["mutable"])
        self.shown("stats", self.file, *which, EVIL, code=1)
        charts = os.path.join(self.home, "charts" + FILE_EVIL)
        self.shown("stats", self.file, *which, "--all", self.names["special"], "--charts", charts,
                   code=None)
        for name in os.listdir(charts) if shutil.which("gnuplot") else []:
            with open(os.path.join(charts, name), encoding="utf-8") as file:
                self.assertEqual(unsafe_of(file.read(), "\n\t"), [], name)

    def run_compare(self):
        both = [self.file + ":" + self.world, self.file + ":sweep:" + self.sweep]
        for more in ([], ["--terrains", "--all"]):
            self.shown("compare", *both, *more)
            self.shown_json("compare", *both, *more, "--format", "json")
            text = self.shown("compare", *both, *more, "--format", "junit")
            tree = xml.etree.ElementTree.fromstring(text)
            self.assertTrue([case for case in tree.iter("testcase")
                             if case.get("name").startswith(FORMULA + "special")])
        self.shown_csv("compare", *both, "--all", "--format", "csv")
        self.shown("compare", self.file + ":" + EVIL, both[1], code=1)

    def run_find(self):
        relation = '"%s"' % self.names["special"].replace('"', "*").replace("\n", "*")
        for where in ("city size >= 1", "SELECT x, y, special FROM v_special", relation, EVIL,
                      "SELECT " + EVIL):
            for more in ([], ["--format", "csv"], ["--format", "json"], ["--stored"]):
                self.shown("find", self.file, "--world", self.world, "--seeds", "1..2",
                           "--where", where, *more, code=None, allowed="\n\t\r")

    def run_completion(self):
        self.shown("completion", "bash", allowed="\n\t")
        self.shown("completion", EVIL, code=2)
        for words in (["status", self.file, "--world", ""], ["why", self.file, ""],
                      ["new", self.file, "--region", ""], ["sweep", self.file, ""],
                      ["replay", self.file, ""], ["compare", self.file + ":"], [EVIL],
                      ["query", EVIL, "--format=" + EVIL]):
            self.shown("__complete", *words, allowed="\n\t")

    def test_every_command(self):
        """A command that has no case here fails."""
        top = subprocess.run([COMMAND, "--help"], capture_output=True, text=True, check=True)
        listed = re.findall(r"(?m)^  ([a-z-]+) +[A-Z]", top.stdout)
        listed.remove("help")
        self.assertGreater(len(listed), 20)
        for command in listed:
            self.assertTrue(hasattr(self, "run_" + command.replace("-", "_")), command)
        for command in by_turns(listed, 3, "commands"):
            with self.subTest(command=command):
                self.begin()
                getattr(self, "run_" + command.replace("-", "_"))()
                self.assertIn(command, self.used)
                self.assertNotIn("\\n", self.shown(command, "--help"))
                # Values of options and operands: refused, or not there.
                for line in re.findall(r"^  (?:-\w, |    )--([a-z-]+ [^ ]|[a-z-]+)",
                                       self.shown(command, "--help"), re.MULTILINE):
                    name = "--" + line.split()[0]
                    end = ["--seconds", "0"] if name == "--watch" else []  # a folder of that name is there
                    self.shown(command, self.file, name, EVIL, *end, code=None, allowed="\n\r\t")
                    self.shown(command, self.file, name + "=" + EVIL, *end, code=None)
                for words in ([], [self.file, EVIL], [EVIL], [self.file, EVIL, EVIL],
                              [self.file, "--" + EVIL], [self.file, "-" + EVIL]):
                    self.shown(command, *words, code=None, allowed="\n\r\t")
        self.shown(EVIL, code=2)
        self.shown("help", EVIL, code=2)
        self.shown("--" + EVIL, code=2)

    def test_writer_that_waits(self):
        """The lock file's record is anyone's."""
        with open(self.file + "-lock", "wb") as lock:
            lock.write(b"pid 1\nhost h\x1b[31m\xff\nprogram " + EVIL.split("\n", 1)[0].encode() +
                       b"\nsince x\nwriters one\n")
            lock.flush()
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.shown("generate", self.file, "--chunk", "5,5", code=1)
            self.shown("generate", self.file, "--chunk", "5,5", "--wait", "0.3", code=1)
        os.remove(self.file + "-lock")

    def test_copied_commands(self):
        """What a message tells to type reaches the same file and world, and runs nothing."""
        out = self.shown("show", self.file, "--chunk", "7,7", code=1)
        self.assertEqual(out, "")
        plain = os.path.join(self.folder, "it's; touch x")
        shutil.copyfile(self.made, plain)
        world = "'; touch y; '"
        self.done("new", plain, world, "--seed", "1")
        done = subprocess.run([COMMAND, "show", plain, "--world", world, "--chunk", "7,7"],
                              capture_output=True, text=True, check=False)
        advice = re.search(r"portolan (generate .*)", done.stderr)[1]
        subprocess.run(["sh", "-c", "'%s' %s" % (COMMAND, advice)], check=True, cwd=self.folder,
                       capture_output=True)
        self.done("show", plain, "--world", world, "--chunk", "7,7")
        self.assertFalse({"x", "y"} & set(os.listdir(self.folder)))


if __name__ == "__main__":
    unittest.main()
