"""Streams of columns (portolan/arrow.h) as DuckDB's C library takes them: what portolan-parquet (tools/parquet) writes
with it into databases and Parquet files is read by DuckDB again, and compared with what `portolan query` says."""

import ctypes
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from support import CommandTest, SOURCE, npm_package  # noqa: E402 pylint: disable=wrong-import-position

PARQUET = os.environ["PORTOLAN_PARQUET"]


class Result(ctypes.Structure):  # pylint: disable=too-few-public-methods
    """duckdb_result of duckdb.h"""
    _fields_ = [("numbers", ctypes.c_uint64 * 3), ("columns", ctypes.c_void_p), ("message", ctypes.c_char_p),
                ("data", ctypes.c_void_p)]


class DuckDB:
    """A database in memory, asked through DuckDB's C library."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.duckdb_result_error.restype = ctypes.c_char_p
        self.library.duckdb_value_varchar.restype = ctypes.c_void_p
        self.library.duckdb_value_varchar.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
        self.library.duckdb_free.argtypes = [ctypes.c_void_p]
        for name in ("column_count", "row_count"):
            getattr(self.library, "duckdb_" + name).restype = ctypes.c_uint64
        database, self.connection = ctypes.c_void_p(), ctypes.c_void_p()
        assert self.library.duckdb_open(None, ctypes.byref(database)) == 0
        assert self.library.duckdb_connect(database, ctypes.byref(self.connection)) == 0

    def text(self, result, column, row):
        """A value as text; None: NULL."""
        value = self.library.duckdb_value_varchar(ctypes.byref(result), column, row)
        text = ctypes.string_at(value).decode() if value else None
        self.library.duckdb_free(value)
        return text

    def rows(self, sql):
        """The rows of a query, each a list of texts."""
        result = Result()
        code = self.library.duckdb_query(self.connection, sql.encode(), ctypes.byref(result))
        assert code == 0, self.library.duckdb_result_error(ctypes.byref(result))
        columns, rows = (getattr(self.library, "duckdb_%s_count" % n)(ctypes.byref(result)) for n in ("column", "row"))
        out = [[self.text(result, c, r) for c in range(columns)] for r in range(rows)]
        self.library.duckdb_destroy_result(ctypes.byref(result))
        return out


class DuckDBTest(CommandTest):
    """A world with two chunks, a local map and a sweep."""

    def setUp(self):
        super().setUp()
        self.path_of_library = npm_package(
            self, "columns", os.path.join("@duckdb", "node-bindings-linux-x64", "libduckdb.so"))
        self.duckdb = DuckDB(self.path_of_library)
        self.import_builtin()
        self.make_world("w", 11)
        self.done("generate", self.file, "--rect", "0,-1,0,0", "--quiet")

    def write(self, what, name, *options, code=0):  # pylint: disable=arguments-differ
        """Writes with portolan-parquet; the path of the result, or if it should fail what it says."""
        out = self.path(name)
        got = subprocess.run([PARQUET, "--library", self.path_of_library, self.file, what, out, *options],
                             capture_output=True, text=True, timeout=240, check=False)
        self.assertEqual(got.returncode, code, got.stderr)
        return got.stderr if code else out

    def asked(self, sql):
        """The rows of a query of SQLite's, as DuckDB.rows gives its own."""
        rows = self.json("query", self.file, sql, "--limit", "0", "--json")
        return [[None if v is None else str(v) for v in row.values()] for row in rows]

    def compare(self, ours, theirs):
        self.assertEqual(sorted(self.asked(ours), key=str), sorted(self.duckdb.rows(theirs), key=str))

    def test_tables(self):
        """Each table is in DuckDB what it is in SQLite."""
        self.done("local", self.file, "--world", "w", "--rect", "20,20,21,20", "--quiet")
        self.done("sweep", self.file, "s", "--seeds", "3..4", "--quiet")
        listed = subprocess.run([PARQUET, "--help"], capture_output=True, text=True, timeout=60, check=True).stdout
        tables = next(line for line in listed.splitlines() if "v_special" in line).split()
        self.assertEqual(len(tables), 14)
        for table in tables:
            out = self.write(table, "all.duckdb")
            self.duckdb.rows("ATTACH '%s' AS place (READ_ONLY)" % out)
            columns = ", ".join(row[0] for row in self.duckdb.rows(
                "SELECT column_name FROM duckdb_columns() WHERE table_name = '%s' AND database_name = 'place'" % table))
            with self.subTest(table=table):
                self.assertGreater(len(self.asked("SELECT 1 FROM %s" % table)), 0)
                self.compare("SELECT %s FROM %s" % (columns, table), "SELECT %s FROM place.%s" % (columns, table))
            self.duckdb.rows("DETACH place")

    def test_omts(self):
        """The tiles, their dictionary of oters among them, by way of a table and by way of Parquet."""
        counts = "SELECT z, oter, count(*), sum(x), sum(y), min(x), max(y) FROM %s GROUP BY z, oter"
        out = self.write("omt", "omts.parquet", "--of", "w")
        self.compare(counts % "omt", counts % ("'%s'" % out))
        self.assertEqual(self.duckdb.rows("SELECT count(*), sum(CAST(x AS BIGINT) * y * z) FROM '%s'" % out),
                         self.asked("SELECT count(*), sum(x * y * z) FROM omt"))
        out = self.write("omt", "omts.duckdb", "--of", "w", "--levels", "-1..1", "--chunks", "0,-1,0,-1")
        self.duckdb.rows("ATTACH '%s' AS place (READ_ONLY)" % out)
        self.compare(counts % "omt WHERE y < 0 AND z BETWEEN -1 AND 1", counts % "place.omt")
        roads = "SELECT x, y FROM %s WHERE z = 0 AND oter LIKE 'road%%' AND y < 0"
        self.assertGreater(len(self.asked(roads % "omt")), 100)
        self.compare(roads % "omt", roads % "place.omt")

    def test_queries(self):
        """Integers, numbers, texts with other letters, blobs and NULLs; many batches."""
        sql = ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i / 4.0 AS f, iif(i % 3, "
               "'\u00e4''\U0001f30a' || i, NULL) AS t, iif(i % 5 = 1, i, NULL) AS g FROM n LIMIT 200000")
        out = self.write(sql, "it's.parquet")
        self.assertEqual(self.duckdb.rows("SELECT count(*), sum(i), sum(f), count(t), sum(length(t)), count(g), sum(g) "
                                          "FROM '%s'" % out.replace("'", "''")),
                         self.asked("SELECT count(*), sum(i), sum(f), count(t), sum(length(t)), count(g), sum(g) FROM "
                                    "(%s)" % sql))
        out = self.write("SELECT CAST('ab' AS BLOB) AS b", "b.parquet")
        self.assertEqual(self.duckdb.rows("SELECT b = 'ab'::BLOB FROM '%s'" % out), [["true"]])

    def test_failures(self):
        """What the stream says comes through; a file that is there stays, and no part of one is left."""
        out = self.write("SELECT 1 AS one", "o.parquet")
        late = ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT iif(i < 70000, i, 'x') AS late "
                "FROM n LIMIT 80000")
        self.assertIn("the column 'late'", self.write(late, "o.parquet", code=1))
        self.assertIn("nothing", self.write("SELECT 1 FROM nothing", "o.parquet", code=1))
        self.assertIn("nowhere", self.write("v_city", "o.parquet", "--of", "nowhere", code=1))
        self.assertEqual(self.duckdb.rows("SELECT one FROM '%s'" % out), [["1"]])
        self.assertFalse(os.path.exists(out + ".part"))
        for wrong in (["omt", "o.parquet"], ["v_city", "o.csv"], ["v_city", "o.parquet", "--levels", "1"],
                      ["v_city", "o.parquet", "--chunks", "1,2,3"], ["v_city", "o.parquet", "--wrong", "1"]):
            self.assertIn("tools/parquet FILE WHAT OUT", self.write(*wrong, code=2))

    def test_wrapper(self):
        """tools/parquet says what to install."""
        got = subprocess.run([os.path.join(SOURCE, "tools", "parquet"), self.file, "v_city", self.path("c.parquet")],
                             env={**os.environ, "PORTOLAN_DUCKDB": self.path("no.so")}, capture_output=True, text=True,
                             timeout=60, check=False)
        self.assertNotEqual(got.returncode, 0)
        self.assertIn("@duckdb/node-bindings-linux-x64", got.stderr)


if __name__ == "__main__":
    unittest.main()
