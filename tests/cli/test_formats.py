"""--format: table, csv, json, jsonl and raw mean the same everywhere, and hold the same values.
With short counts (PORTOLAN_QUICK) a third of the commands that print rows has its turn."""

import csv
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

from support import COMMAND, CommandTest, by_turns, run

FORMATS = ("table", "csv", "json", "jsonl", "raw")
# What prints rows: the words, and where its JSON has them (None: it is an array of them).
ROWS = [
    (["query", "w.db", "SELECT * FROM v_special"], None),
    (["query", "w.db", "SELECT 1 AS a WHERE 0"], None),
    (["query", "w.db", "SELECT NULL AS n, '' AS e, 'a,\"b' AS t, 2.5 AS r, -7 AS i"], None),
    (["query", "w.db", "--tables"], None),
    (["query", "w.db", "--columns", "v_city"], None),
    (["stats", "w.db", "--section", "specials"], "specials"),
    (["stats", "w.db", "--section", "water"], "water"),
    (["stats", "w.db", "anthill", "--section", "histogram"], "histogram"),
    (["compare", "w.db:home", "w.db:sweep", "--all"], "specials"),
    (["diff", "w.db", "--base"], None),
    (["diff", "w.db", "w.db", "--summary"], None),
    (["find", "w.db", "--where", "lake", "--seeds", "1..9", "--first", "4"], None),
    (["find", "w.db", "--stored", "--where", "SELECT x, y FROM v_city", "--first", "0"], None),
    (["status", "w.db", "--section", "worlds"], "worlds"),
    (["status", "w.db", "--section", "issues"], "issues"),
    (["status", "w.db", "--section", "set_aside"], "set_aside"),
    (["verify", "w.db"], "problems"),
    (["lint", "w.db"], None),
    (["coverage", "w.db", "--kind", "building", "--overmaps", "2"], None),
    (["loot", "w.db", "--in", "cabin"], None),
    (["loot", "w.db", "--in", "cabin", "--monster", "mon_hare", "--tree"], None),
    (["mapgen", "cabin", "w.db", "--entries"], None),
    (["mapgen", "cabin", "w.db", "--explain", "7,7"], None),
    (["mapgen", "cottage", "w.db", "--check"], None),
    (["verify", "w.db", "--seams"], "problems"),
    (["sweep", "w.db", "--precision", "0.5"], "specials"),
    (["why", "w.db", "anthill"], "each"),
    (["show", "w.db", "--chunk", "0,0"], None),
    (["import", "w.db", "--check", "--builtin"], "issues"),
]
# What is one thing: an object in JSON.
ONE = [["digest", "w.db"], ["index", "w.db"], ["show", "w.db", "--omt", "3,4"],
       ["why", "w.db", "anthill", "--chunk", "0,0"], ["try", "w.db", "anthill", "--times", "3"]]

shared = ""


def setUpModule():
    global shared
    shared = tempfile.mkdtemp(prefix="portolan-formats-")
    unittest.addModuleCleanup(shutil.rmtree, shared)
    path = os.path.join(shared, "w.db")
    for words in (["import", path, "--builtin"], ["new", path, "home", "--seed", "1"],
                  ["generate", path, "--radius", "1", "--quiet"],
                  ["sweep", path, "--seeds", "1..4", "--quiet"]):
        done = run(*words)
        assert done.returncode == 0, done.stderr


class FormatsTest(CommandTest):
    def setUp(self):
        super().setUp()
        shutil.copyfile(os.path.join(shared, "w.db"), self.file)

    def out(self, words, *more):
        """Standard output, as bytes; the command succeeds."""
        words = [word.replace("w.db", self.file) for word in words]
        if words[0] == "stats":
            words += ["--world", "home", "--quiet"]
        done = subprocess.run([COMMAND, *words, *more], capture_output=True, check=False,
                              timeout=240)
        self.assertEqual(done.returncode, 0, (words, more, done.stderr))
        return done.stdout


class Rows(FormatsTest):
    def test_all_hold_the_same(self):
        for words, key in by_turns(ROWS, 3, "commands with rows"):
            with self.subTest(" ".join(words)):
                self.check(words, key)

    def check(self, words, key):
        objects = json.loads(self.out(words, "--format", "json"))
        rows = objects if key is None else objects[key]
        self.assertIsInstance(rows, list)
        self.assertEqual(json.loads(self.out(words, "--json")) if words[0] != "import" else 0,
                         objects if words[0] != "import" else 0)
        lines = self.out(words, "--format", "jsonl").decode().split("\n")
        self.assertEqual(lines.pop(), "")
        self.assertEqual([json.loads(line) for line in lines], rows)
        text = self.out(words, "--format", "csv").decode()
        self.assertTrue(text.endswith("\r\n"))
        table = list(csv.reader(io.StringIO(text, newline="")))
        head, body = table[0], table[1:]
        self.assertEqual(len(body), len(rows))
        for row, fields in zip(rows, body):
            self.assertEqual(list(row), head)
            self.assertEqual([self.as_csv(v) for v in row.values()], fields)
        bare = self.out(words, "--format", "csv", "--no-header").decode()
        self.assertEqual(bare, text.split("\r\n", 1)[1])
        raw = self.out(words, "--format", "raw").decode().split("\n")
        self.assertEqual(raw.pop(), "")
        self.assertEqual(len(raw), len(rows))
        for row, line in zip(rows, raw):
            self.assertEqual(len(line.split("\t")), len(row))
        self.assertEqual(*(re.sub(rb"[0-9.]+ s", b"", self.out(words, *more))
                           for more in ([], ["--format", "table"])))

    @staticmethod
    def as_csv(value):
        if value is None:
            return ""
        if isinstance(value, float):
            return repr(value)
        return str(value)

    def test_one_thing_is_an_object(self):
        for words in ONE:
            with self.subTest(" ".join(words)):
                whole = json.loads(self.out(words, "--json"))
                self.assertIsInstance(whole, dict)
                line = self.out(words, "--format", "jsonl").decode()
                self.assertEqual(line.count("\n"), 1)
                self.assertEqual(set(json.loads(line)), set(whole))
                table = list(csv.reader(io.StringIO(self.out(words, "--format", "csv").decode())))
                self.assertEqual(len(table), 2)
                self.assertEqual(len(table[0]), len(table[1]))
                self.assertEqual(len(self.out(words, "--format", "raw").split(b"\t")), len(table[0]))

    def test_empty_results(self):
        for words in (["query", "w.db", "SELECT 1 AS a, 2 AS b WHERE 0"],):
            self.assertEqual(self.out(words, "--format", "csv"), b"a,b\r\n")
            self.assertEqual(self.out(words, "--format", "csv", "--no-header"), b"")
            self.assertEqual(self.out(words, "--format", "json"), b"[]\n")
            self.assertEqual(self.out(words, "--format", "jsonl"), b"")
            self.assertEqual(self.out(words, "--format", "raw"), b"")
            self.assertEqual(self.out(words), b"a  b\n-  -\n")
            self.assertEqual(self.out(words, "--no-header"), b"")

    def test_raw(self):
        """Values as they are: nothing quoted, nothing made visible; a lone blob is its bytes."""
        sql = "SELECT 'a\tb', char(27) || '\"', NULL, 1.5, x'00ff'"
        self.assertEqual(self.out(["query", "w.db", sql], "--format", "raw"),
                         b"a\tb\t\x1b\"\t\t1.5\t00ff\n")
        self.assertEqual(self.out(["query", "w.db", "SELECT x'000a0d09ff'"], "--format", "raw"),
                         b"\x00\x0a\x0d\x09\xff")
        self.assertEqual(self.out(["query", "w.db", "SELECT x'00' UNION ALL SELECT x'ff'"],
                                  "--format", "raw"), b"\x00\n\xff\n")
        self.assertEqual(self.out(["query", "w.db", "SELECT x''"], "--format", "raw"), b"")
        png = self.out(["query", "w.db", "SELECT chunk_png('home', 0, 0, 0)"], "--format", "raw")
        self.assertEqual(png[:8] + png[-8:-4], b"\x89PNG\r\n\x1a\nIEND")

    def test_blobs_and_large_numbers(self):
        sql = "SELECT x'00ff' AS b, 9007199254740991 AS small, 9007199254740992 AS large"
        self.assertEqual(json.loads(self.out(["query", "w.db", sql], "--json")),
                         [{"b": "00ff", "small": 9007199254740991, "large": "9007199254740992"}])
        self.assertEqual(self.out(["query", "w.db", sql], "--format", "csv"),
                         b"b,small,large\r\n00ff,9007199254740991,9007199254740992\r\n")

    def test_no_header(self):
        text = self.out(["query", "w.db", "SELECT 'x' AS a, 5 AS b"], "--no-header").decode()
        self.assertEqual(text, "x  5\n")

    def test_wrong_use(self):
        for words in (["query", "w.db", "SELECT 1"], ["stats", "w.db"], ["status", "w.db"],
                      ["verify", "w.db"], ["digest", "w.db"]):
            words = [word.replace("w.db", self.file) for word in words]
            self.failed(2, "none of table, csv, json, jsonl, raw", *words, "--format", "xml")
            self.failed(2, "--json and --format csv exclude", *words, "--json", "--format", "csv")
            if words[0] in ("stats", "status"):
                for form in ("csv", "jsonl", "raw"):
                    more = ["--all", "--world", "home"] if words[0] == "stats" else []
                    self.failed(2, "--format %s has one section at a time" % form, *words, *more,
                                "--format", form)
        self.failed(2, "raw, junit", "compare", "a", "b", "--format", "x")
        self.failed(2, "no section 'wrlds'; did you mean worlds", "status", self.file, "--section",
                    "wrlds")

    def test_edges(self):
        """Nested in JSON; in the others a row for each crossing."""
        nested = self.json("show", self.file, "--edge", "0,0", "--json")
        rows = [json.loads(line) for line in self.out(
            ["show", "w.db", "--edge", "0,0"], "--format", "jsonl").decode().splitlines()]
        found = sorted((edge["x"], edge["y"], edge["side"], crossing["kind"], crossing["position"])
                       for edge in nested.values() for crossing in edge["crossings"])
        self.assertEqual(sorted((row["x"], row["y"], row["side"], row["kind"], row["position"])
                                for row in rows if row["kind"]), found)
        self.assertGreater(len(found), 0)

    def test_verify_finds(self):
        db = sqlite3.connect(self.file)
        db.execute("UPDATE city SET size = size + 1 WHERE number = 0")
        db.commit()
        db.close()
        result = run("verify", self.file, "--json")
        self.assertEqual(result.returncode, 1)
        about = json.loads(result.stdout)
        self.assertGreater(len(about["problems"]), 0)
        self.assertEqual(about["checked"]["problems"], len(about["problems"]))
        self.assertTrue(all(p["invariant"] > 0 and p["where"] for p in about["problems"]))
        lines = run("verify", self.file, "-q").stdout.splitlines()
        self.assertEqual(len(lines), len(about["problems"]))
        rows = list(csv.DictReader(io.StringIO(run("verify", self.file, "--format", "csv").stdout)))
        self.assertEqual([(row["where"], row["message"]) for row in rows],
                         [(p["where"], p["message"]) for p in about["problems"]])


class Parameters(CommandTest):
    def setUp(self):
        super().setUp()
        shutil.copyfile(os.path.join(shared, "w.db"), self.file)

    def ask(self, sql, *more):
        return json.loads(self.done("query", self.file, sql, "--json", *more))

    def test_values(self):
        names = ["-p", "a", "anthill", "--parameter", "b", "-7", "-p", "c", "2.5", "-p", "d", "'7'",
                 "-p", "e", "007", "-p", "f", "''", "-p", "g", "it's", "-p", "h", "1e3", "-p", "i",
                 "--format", "-p", "j", "9223372036854775808"]
        row, = self.ask("SELECT :a AS a, @b AS b, $c AS c, :d AS d, :e AS e, :f AS f, :g AS g, "
                        ":h AS h, :i AS i, typeof(:j) AS j", *names)
        self.assertEqual(row, {"a": "anthill", "b": -7, "c": 2.5, "d": "7", "e": "007", "f": "",
                               "g": "it's", "h": 1000.0, "i": "--format", "j": "real"})
        found = self.ask("SELECT DISTINCT special FROM v_special WHERE special = :id", "-p", "id",
                         "anthill")
        self.assertEqual(found, [{"special": "anthill"}])
        self.assertEqual(self.ask("SELECT ? || ? AS t", "-p", "2", "b", "-p", "1", "'a'"), [{"t": "ab"}])

    def test_mistakes(self):
        for sql, words, pattern in [("SELECT :id", [], "parameter :id has no value"),
                                    ("SELECT 1", ["-p", "id", "x"], "has no parameter 'id'"),
                                    ("SELECT :id", ["-p", "id", "1", "-p", "id", "2"], "given twice")]:
            self.failed(1, pattern, "query", self.file, sql, *words)
        self.failed(2, "needs two values: NAME VALUE", "query", self.file, "SELECT :a", "-p", "a")
        self.failed(2, "go without SQL", "query", self.file, "--tables", "-p", "a", "b")


if __name__ == "__main__":
    unittest.main()
