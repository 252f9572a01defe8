"""Statistics in SQL: median, percentile, stddev and Wilson's interval, beside Python's."""
import json
import math
import os
import random
import shutil
import statistics
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from support import CommandTest, run  # noqa: E402

DRAW = random.Random(31)
SAMPLES = [[5], [1, 2], [-0.0, 0.0, -1, 3], [-2.5, 1e300, 7, 7, 7, -1e300],
           [1e9 + i for i in (4, 7, 13, 16)], [DRAW.gauss(0, 9) for _ in range(1001)],
           [DRAW.randrange(-3, 4) for _ in range(500)]]
PERCENTS = [0, 1, 12.5, 50, 99, 100]
INTERVALS = [(0, 10, 0.95), (10, 10, 0.95), (3, 7, 0.5), (81, 263, 0.9), (61, 404, 0.95),
             (1, 10 ** 9, 0.99), (40, 90, 0.999999), (2, 3, 1e-6), (0.5, 4, 0.95)]
WRONG = {
    "median(value) FROM json_each('[1, \"a\"]')": "median: a value is not a number",
    "stddev(value) FROM json_each('[1, \"a\"]')": "stddev: a value is not a number",
    "percentile('a', 5)": "percentile: a value is not a number",
    "percentile(1, 'a')": "percentile: p is not a number",
    "percentile(1, NULL)": "percentile: p is not from 0 to 100",
    "percentile(1, 100.1)": "percentile: p is not from 0 to 100",
    "percentile(1, -1)": "percentile: p is not from 0 to 100",
    "percentile(1, value) FROM json_each('[1, 2]')": "percentile: p is not the same in all rows",
    "percentile(1)": "wrong number of arguments",
    "wilson_low(8, 7)": "successes are not from 0 to the trials",
    "wilson_high(-1, 7)": "successes are not from 0 to the trials",
    "wilson_low(1, 7, 1)": "the level is not between 0 and 1",
    "wilson_low(1, 7, 0)": "the level is not between 0 and 1",
    "wilson_low('a', 7)": "wilson: the number of successes is not a number",
    "wilson_high(1)": "wrong number of arguments",
}


class Medians(CommandTest):
    made = None  # the file: what is asked needs nothing in it

    def setUp(self):
        super().setUp()
        if not Medians.made:
            self.make_world()
            Medians.made = tempfile.TemporaryDirectory(prefix="portolan-cli-")
            shutil.copy(self.file, Medians.made.name)
        self.file = os.path.join(Medians.made.name, "w.db")

    @classmethod
    def tearDownClass(cls):
        if Medians.made:
            Medians.made.cleanup()

    def rows(self, sql, *more):
        """The rows of an answer; reals are written so that they are read as the same."""
        text = self.done("query", self.file, sql, "--format", "json", *more)
        return [list(row.values()) for row in json.loads(text)]

    def test_samples(self):
        for values in SAMPLES:
            row, = self.rows(
                "SELECT median(value), stddev(value), %s FROM json_each(:values)" % ", ".join(
                    "percentile(value, %s)" % p for p in PERCENTS),
                "-p", "values", json.dumps(values + [None]))
            self.assertEqual(row[0], statistics.median(values))
            if len(values) == 1:
                self.assertEqual(row[1:], [None] + values * len(PERCENTS))
                continue
            if max(values) < 1e300:  # the square of that is no number
                self.assertAlmostEqual(row[1] / statistics.stdev(values), 1, 12)
            cuts = [min(values), *statistics.quantiles(values, n=1000, method="inclusive"),
                    max(values)]
            for percent, found in zip(PERCENTS, row[2:]):
                wanted = cuts[int(10 * percent)]
                self.assertLessEqual(abs(found - wanted), 1e-12 * (abs(wanted) + 1), percent)

    def test_groups(self):
        """Each group has values of its own; without any it is NULL."""
        self.assertEqual(
            self.rows("SELECT value % 3, median(value), percentile(value, 25), stddev(value) "
                      "FROM json_each('[3, 1, 4, 6, 9, 7, 10]') GROUP BY 1"),
            [[0, 6, 4.5, 3], [1, 5.5, 3.25, statistics.stdev([1, 4, 7, 10])]])
        self.assertEqual(
            self.rows("SELECT median(value), percentile(value, 5), stddev(value) "
                      "FROM json_each('[null]')"), [[None, None, None]])

    def test_windows(self):
        """The oldest value leaves; NULLs do not count."""
        values = [DRAW.choice([None, DRAW.randrange(50), DRAW.random()]) for _ in range(200)]
        rows = self.rows("SELECT median(value) OVER (ORDER BY key ROWS 6 PRECEDING), "
                         "percentile(value, 100) OVER (ORDER BY key) FROM json_each(:values)",
                         "-p", "values", json.dumps(values))
        for i, found in enumerate(rows):
            seen = [v for v in values[max(0, i - 6):i + 1] if v is not None]
            so_far = [v for v in values[:i + 1] if v is not None]
            self.assertEqual(found, [statistics.median(seen) if seen else None,
                                     max(so_far) if so_far else None], i)

    def test_wilson(self):
        """The ends are the shares that a test by the normal distribution just does not reject."""
        for successes, trials, level in INTERVALS:
            (low, high), = self.rows("SELECT wilson_low({0}), wilson_high({0})".format(
                "%r, %r, %r" % (successes, trials, level)))
            z = statistics.NormalDist().inv_cdf(0.5 + level / 2)
            for end in (low, high):
                if 0 < end < 1:
                    off = abs(successes - trials * end) / math.sqrt(trials * end * (1 - end))
                    self.assertAlmostEqual(off / z, 1, 6, (successes, trials, level))
            self.assertEqual((low == 0, high == 1), (successes == 0, successes == trials))
            self.assertTrue(low < successes / trials or successes == 0)
            self.assertTrue(high > successes / trials or successes == trials)
        self.assertEqual(self.rows("SELECT wilson_low(0, 0), wilson_high(0, 0), wilson_low(3, 7) = "
                                   "wilson_low(3, 7, 0.95), wilson_high(NULL, 7)"),
                         [[0, 1, 1, None]])

    def test_wrong(self):
        for sql, message in WRONG.items():
            done = run("query", self.file, "SELECT " + sql)
            self.assertNotEqual(done.returncode, 0, sql)
            self.assertIn(message, done.stderr)

    def test_much(self):
        """What is kept has a bound."""
        numbers = ("WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
                   "SELECT %s FROM n")
        self.assertEqual(self.rows(numbers % (300000, "median(i), percentile(i, 10)")),
                         [[150000.5, 30000.9]])
        done = run("query", self.file, numbers % (10 ** 8, "median(i), median(-i)"))
        self.assertIn("more than 16777216 values", done.stderr)
        self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
