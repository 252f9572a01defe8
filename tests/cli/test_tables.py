"""query --tables and --columns against what a file has and what its values are; README's list; and
what is said of names that do not exist."""

import os
import re
import shutil
import sqlite3
import tempfile
import unittest

from support import SOURCE, CommandTest, run

shared = ""


def setUpModule():
    """A world that has something of nearly everything."""
    global shared
    shared = tempfile.mkdtemp(prefix="portolan-tables-")
    unittest.addModuleCleanup(shutil.rmtree, shared)
    path = os.path.join(shared, "w.db")
    for words in (["import", path, "--builtin"], ["new", path, "home", "--seed", "1"],
                  ["generate", path, "--radius", "1", "--quiet"],
                  ["sweep", path, "--seeds", "1..2", "--quiet"], ["index", path, "--quiet"]):
        done = run(*words)
        assert done.returncode == 0, done.stderr


def page():
    """Of schema/tables.md: name -> (usage, what, columns)."""
    with open(os.path.join(SOURCE, "schema/tables.md"), encoding="utf-8") as file:
        parts = re.split(r"(?m)^### ", file.read())[1:]
    tables = {}
    for part in parts:
        part = re.split(r"(?m)^## ", part)[0]
        usage, what = part.split("\n")[:2]
        rows = [tuple(cell.strip() for cell in line.strip("|").split("|"))
                for line in part.split("\n") if line.startswith("| ")]
        tables[usage.split("(")[0]] = (usage, what, rows[1:])
    return tables


class Shared(CommandTest):
    """One file for all: it is only read."""

    def setUp(self):
        super().setUp()
        self.file = os.path.join(shared, "w.db")

    def rows(self, sql):
        return self.json("query", self.file, sql, "--json")


class Tables(Shared):
    def test_page_names_what_there_is(self):
        db = sqlite3.connect(self.file)
        kinds = dict(db.execute("SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view')"
                                " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"))
        db.close()
        listed = {row["name"]: row for row in self.json("query", self.file, "--tables", "--json")}
        self.assertEqual(set(listed), set(page()))
        self.assertLessEqual(set(kinds), set(listed))
        for name, row in listed.items():
            if name != "placement":  # of the connection
                self.assertEqual(row["kind"], kinds.get(name, row["kind"]), name)
            if name not in kinds and name != "placement":
                self.assertIn(row["kind"], ("virtual", "function"), name)
            self.assertRegex(row["what"], r"^[A-Z].*\.$", name)
            self.assertLess(len(row["what"]), 100, name)

    def test_virtual_tables_and_functions_are_all_there(self):
        """Those that the library registers."""
        text = ""
        for name in ("store/sqlite/query/sql_register.c", "library/store.c"):
            with open(os.path.join(SOURCE, "src", name), encoding="utf-8") as file:
                text += file.read()
        tables = re.findall(r'\{"(\w+)", &(?:vtab|sql)_', text)
        functions = set(re.findall(r'\{"(\w+)", \d+, (?:SQL_|sql_)', text))
        self.assertGreater(len(tables), 10)
        self.assertGreater(len(functions), 5)
        listed = {row["name"]: row["kind"] for row in self.json("query", self.file, "--tables",
                                                                 "--json")}
        self.assertEqual({name for name, kind in listed.items() if kind == "virtual"}, set(tables))
        self.assertEqual({name for name, kind in listed.items() if kind == "function"}, functions)

    def test_columns(self):
        for name, (_, _, columns) in page().items():
            found = self.rows("SELECT name, hidden FROM pragma_table_xinfo('%s')" % name)
            with self.subTest(name):
                self.assertEqual([row["name"] for row in found], [column[0] for column in columns])
                for row, (_, _, meaning) in zip(found, columns):
                    self.assertEqual(row["hidden"] == 1, meaning.endswith("(hidden)"))
                    self.assertNotEqual(meaning, "")
                    self.assertNotIn("?", meaning)
                self.assertEqual(
                    [(row["column"], row["type"], row["meaning"]) for row in
                     self.json("query", self.file, "--columns", name, "--json")],
                    [(column, kind, re.sub(r"\[(.*?)\]\(.*?\)", r"\1", meaning.replace("`", "")))
                     for column, kind, meaning in columns])

    def test_types_are_those_of_the_values(self):
        for name, (usage, _, columns) in page().items():
            if not columns or usage != name:
                continue  # functions, and tables that are called with arguments
            shown = [column for column in columns if not column[2].endswith("(hidden)")]
            types = ", ".join('group_concat(DISTINCT typeof("%s"))' % column for column, *_ in shown)
            row, = self.rows("SELECT %s FROM (SELECT * FROM %s LIMIT 3000)" % (types, name))
            for (column, kind, _), found in zip(shown, row.values()):
                found = set((found or "").split(",")) - {"null", ""}
                self.assertLessEqual(found, {kind.lower()} | ({"integer"} if kind == "REAL" else set()),
                                     (name, column))

    def test_views_come_first(self):
        names = [row["name"] for row in self.json("query", self.file, "--tables", "--json")]
        self.assertEqual(names[0], "v_world")
        for table in ("world", "chunk", "city", "edge", "event", "radio", "run", "level", "sweep"):
            self.assertLess(names.index("v_" + table), names.index(table))

    def test_page_names_them(self):
        with open(os.path.join(SOURCE, "schema/asking.md"), encoding="utf-8") as file:
            text = file.read()
        part = text.split("## The SQL")[1].split("```sql")[0]
        named = set(re.findall(r"`(\w+)(?:\([^`]*\))?`", part))
        self.assertEqual(named - set(page()) - {"ptl_query"}, set())
        for name in [n for n in page() if n.startswith("v_")]:
            self.assertIn("`%s`" % name, text, name)

    def test_own_tables(self):
        """A table of the user's is listed, too, with its columns."""
        self.file = os.path.join(self.folder, "w.db")
        shutil.copyfile(os.path.join(shared, "w.db"), self.file)
        db = sqlite3.connect(self.file)
        db.executescript("CREATE TABLE \"my 'own' notes\" (place TEXT, note)")
        db.close()
        row = self.json("query", self.file, "--tables", "--json")[-1]
        self.assertEqual((row["name"], row["kind"]), ("my 'own' notes", "table"))
        self.assertEqual([row["column"] for row in self.json(
            "query", self.file, "--columns", "my 'own' notes", "--json")], ["place", "note"])
        self.failed(1, "Did you mean my 'own' notes", "query", self.file, "--columns", "my own notes")

    def test_without_index(self):
        self.import_builtin = CommandTest.import_builtin.__get__(self)
        self.file = os.path.join(self.folder, "w.db")
        self.import_builtin()
        names = {row["name"] for row in self.json("query", self.file, "--tables", "--json")}
        self.assertIn("building", names)
        self.assertLess({"building", "v_city"}, names)
        self.assertFalse({"unpacked_building", "v_building", "v_unpacked"} & names)
        self.failed(1, "no such table: v_building", "query", self.file, "--columns", "v_building")
        self.assertIn("v_city", self.done("query", self.file, "--tables"))


class DidYouMean(Shared):
    def hint(self, sql, pattern):
        self.failed(1, pattern, "query", self.file, sql)

    def test_tables(self):
        self.hint("SELECT * FROM v_evnt", "no such table: v_evnt\nDid you mean v_event\\?\n"
                  "What there is: portolan query '.*' --tables")
        self.hint("SELECT * FROM bilding", "Did you mean building")
        self.hint("SELECT * FROM V_CTY", "Did you mean v_city")
        # What is told is the view, not the table that it reads.
        for wanted, told in (("events", "v_event"), ("evnt", "v_event"), ("worlds", "v_world"),
                             ("specials", "v_special"), ("Cities", "v_city"),
                             ("crossings", "v_border"), ("special", "v_special"),
                             ("omts", "omt"), ("overmap_specials", "overmap_special")):
            self.hint("SELECT 1 FROM " + wanted, "\nDid you mean %s\\?\n" % told)
        self.hint("SELECT * FROM unheard_of_by_anybody", "table: unheard_of_by_anybody\nWhat there is")
        self.failed(1, "no such table: v_ctiy\nDid you mean v_city", "query", self.file, "--columns",
                    "v_ctiy")

    def test_columns_and_functions(self):
        self.hint("SELECT nme FROM v_city", "no such column: nme\nDid you mean name")
        self.hint("SELECT c.siz FROM v_city c", "Did you mean size")
        self.hint("SELECT qqq FROM v_city", "Columns of v_city: world chunk_x")
        self.hint('SELECT * FROM v_city WHERE name = "Hill"', "A text stands in apostrophes: 'Hill'")
        self.hint("SELECT omtat('home', 0, 0, 0)", "Did you mean omt_at")
        self.hint("SELECT oter_bse('x')", "no such function: oter_bse\nDid you mean oter_base")

    def test_files(self):
        here = os.path.dirname(self.file)
        for wrong in ("w.bd", "w.dbb", "W.db"):
            told = self.failed(1, "Did you mean '%s'" % self.file, "status",
                               os.path.join(here, wrong)).stderr
            self.assertNotIn("portolan import", told)
        self.failed(1, "(?s)FILE comes first.*portolan query '%s' 'select 1'" % self.file, "query",
                    "select 1", self.file)
        self.failed(1, "Make it first", "status", os.path.join(here, "unheard_of.sqlite"))

    def test_words(self):
        """What begins alike, or has the word: nearer than what is as short."""
        for typed, meant in (("army", "army_depot"), ("Bath", "bath_house"), ("depot", "bus_depot")):
            self.failed(1, "Did you mean '%s'" % meant, "why", self.file, typed)
        self.assertNotIn("mean", self.failed(2, "no option '--seed'", "generate", self.file, "--seed",
                                             "5").stderr)

    def test_no_links(self):
        """The lists are of a page whose links lead nowhere in a terminal."""
        listed = self.done("query", self.file, "--tables", "--format", "csv")
        self.assertIn("(shoals.md)", listed)
        self.assertNotIn("](", listed)
        for table in ("content_past", "omt"):
            self.assertNotIn("](", self.done("query", self.file, "--columns", table, "--format", "csv"))

    def test_names(self):
        self.failed(1, "no special 'anthil'\nDid you mean 'anthill'", "why", self.file, "anthil")
        self.failed(1, "Did you mean 'anthill'", "try", self.file, "Anthil", "--times", "1")
        self.failed(1, "Did you mean 'anthill'", "sweep", self.file, "--precision", "0.5",
                    "--special", "ant_hill")
        self.failed(1, "has no world 'hom'\nDid you mean 'home'", "status", self.file, "--world", "hom")
        self.failed(2, "terrain 'feild'; did you mean field", "find", self.file, "--where",
                    "terrain feild")
        self.failed(1, "no special number 9999\nIts specials that grow: ", "replay", self.file,
                    "0,0:9999")
        self.file = os.path.join(self.folder, "w.db")
        shutil.copyfile(os.path.join(shared, "w.db"), self.file)
        for words in (["new", self.file, "away", "--seed", "2"],
                      ["sweep", self.file, "many", "--seeds", "1", "--quiet"]):
            self.done(*words)
        self.failed(1, "no world 'awya', did you mean 'away'; the file holds", "digest", self.file,
                    "--world", "awya")
        self.failed(1, "no sweep 'mnay', did you mean 'many'; the file holds", "stats", self.file,
                    "--sweep", "mnay")


if __name__ == "__main__":
    unittest.main()
