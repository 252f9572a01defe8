"""Readers beside a writer: nobody fails, and nobody waits for the others.

PORTOLAN_SOAK_BESIDE=SECONDS: for so long in each journal mode, with the figures printed.
"""

import os
import resource
import signal
import sqlite3
import subprocess
import threading
import time
import unittest

from support import COMMAND, CommandTest, run

SOAK = "PORTOLAN_SOAK_BESIDE" in os.environ
SECONDS = float(os.environ.get("PORTOLAN_SOAK_BESIDE", "0.8"))
SIDE = 5 if SOAK else 3  # chunks, of the part that is there before
# Seconds that anyone may wait for others; a busy machine in CI stops everybody for a while, and
# there it is enough to tell that nobody waits for a whole query.
LONGEST = 2.0 if SOAK else 30.0
PAUSE = 0.01
COMMITS = 1  # at least, to say anything

# Take a second or more, and have one answer while the world grows to the south east.
LONG = ("SELECT count(*), sum(a.x + b.i) FROM chunk a CROSS JOIN (WITH RECURSIVE n(i) AS (VALUES (1) UNION "
        "ALL SELECT i + 1 FROM n WHERE i < %d) SELECT i FROM n) b WHERE a.x < 0"
        % (200000 if SOAK else 300000),
        "SELECT count(*), sum(x * 3 + y) FROM omt WHERE x < 0 AND y < 0 AND z BETWEEN %d AND 0 "
        "AND oter GLOB '*[a-f]*'" % (-9 if SOAK else -8))


class Longest:
    """How often something was done, and the longest time that it took."""

    def __init__(self):
        self.count, self.seconds = 0, 0.0

    def add(self, seconds):
        self.count += 1
        self.seconds = max(self.seconds, seconds)

    def __str__(self):
        return "%d, the longest %.2f s" % (self.count, self.seconds)


class Beside(CommandTest):
    def setUp(self):
        super().setUp()
        self.stop = threading.Event()
        self.failures, self.times, self.commits, self.copies = [], {}, Longest(), 0

    def take(self, name, seconds):
        self.times.setdefault(name, Longest()).add(seconds)

    def command(self, name, *arguments):
        start = time.monotonic()
        result = run(*arguments)
        self.take(name, time.monotonic() - start)
        if result.returncode != 0:
            self.failures.append((arguments, result.stdout, result.stderr))
        return result

    def ask_long(self):
        answers, number = [None, None], 0
        while not self.stop.is_set():
            result = self.command("long query", "query", self.file, LONG[number], "--format",
                                  "csv", "--time-limit", "0")
            self.copies += "asking a copy of" in result.stderr
            if answers[number] not in (None, result.stdout):
                self.failures.append((LONG[number], answers[number], result.stdout))
            answers[number] = result.stdout
            number = 1 - number

    def ask_this_and_that(self):
        while not self.stop.is_set():
            self.command("quick query", "query", self.file, "SELECT count(*) FROM chunk")
            self.command("status", "status", self.file)
            self.command("show", "show", self.file, "--chunk", "-1,-1")
            self.command("stats", "stats", self.file, "-q")
            self.command("verify", "verify", self.file, "-q")
            self.command("all rows", "query", self.file, "SELECT * FROM v_event", "--limit", "0",
                         "--format", "csv")

    def look_for_commits(self):
        """Another program's short reads, which also tell when the writer commits."""
        db = sqlite3.connect("file:%s?mode=ro" % self.file, uri=True, timeout=60)
        before, changed = None, time.monotonic()
        while not self.stop.is_set():
            start = time.monotonic()
            try:
                count, = db.execute("SELECT count(*) FROM chunk").fetchone()
            except sqlite3.Error as error:
                self.failures.append(error)
                break
            now = time.monotonic()
            self.take("another program's read", now - start)
            if count != before:
                if before is not None:
                    self.commits.add(now - changed)
                before, changed = count, now
            time.sleep(PAUSE)
        self.commits.seconds = max(self.commits.seconds, time.monotonic() - changed)
        db.close()

    def run_both(self, seconds, readers):
        self.stop.clear()
        self.times, self.commits, self.copies = {}, Longest(), 0
        writer = subprocess.Popen([COMMAND, "generate", self.file, "--rect", "0,0,299,299",
                                   "--jobs", "1", "-q"], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
        while not os.path.exists(self.file + "-lock") and writer.poll() is None:
            time.sleep(PAUSE)
        threads = [threading.Thread(target=reader) for reader in readers]
        for thread in threads:
            thread.start()
        self.stop.wait(seconds)
        patience = time.monotonic() + 20  # with a slow build
        while self.commits.count < COMMITS and time.monotonic() < patience:
            time.sleep(PAUSE)
        running = writer.poll() is None
        self.stop.set()
        for thread in threads:
            thread.join()
        writer.send_signal(signal.SIGINT)
        output, errors = writer.communicate(timeout=60)
        self.assertTrue(running, (output, errors))
        self.assertEqual(self.failures, [])
        self.assertNotIn("waiting for", errors)

    def check(self, mode):
        """A slow machine's writer takes its time alone, too."""
        self.run_both(min(SECONDS / 8, 10), [self.look_for_commits])
        alone = self.commits
        self.run_both(SECONDS, [self.ask_long, self.ask_this_and_that, self.look_for_commits])
        figures = "%s, %.0f s: commits %s (alone: %s); copies asked: %d\n" % (
            mode, SECONDS, self.commits, alone, self.copies)
        for name, times in sorted(self.times.items()):
            figures += "  %s: %s\n" % (name, times)
        if SOAK:
            print(figures)
        self.assertLess(self.commits.seconds, max(LONGEST, 5 * alone.seconds), figures)
        for name in ("another program's read", "quick query", "show"):
            self.assertLess(self.times[name].seconds, LONGEST, figures)
        self.assertGreaterEqual(self.commits.count, COMMITS)
        self.assertGreater(self.times["long query"].count, 0)

    def test_rollback_journal(self):
        self.make_world()
        self.done("generate", self.file, "--rect", "%d,%d,-1,-1" % (-SIDE, -SIDE), "-q")
        self.check("rollback journal")
        self.assertGreater(self.copies, 0)
        self.done("verify", self.file)

    def test_wal(self):
        self.make_world()
        self.done("generate", self.file, "--rect", "%d,%d,-1,-1" % (-SIDE, -SIDE), "-q")
        self.done("journal", self.file, "wal")
        self.check("WAL")
        self.assertEqual(self.copies, 0)
        self.done("verify", self.file)

    def test_options(self):
        self.make_world()
        said = run("query", self.file, "SELECT 1", "--snapshot")
        self.assertRegex(said.stderr, r"^portolan query: asking a copy of \d\d:\d\d:\d\d UTC "
                                      r"\(\d+\.\d kB\)\n$")
        self.assertEqual(said.stdout, self.done("query", self.file, "SELECT 1", "--direct"))
        self.failed(2, "exclude each other", "query", self.file, "SELECT 1", "--direct",
                    "--snapshot")
        self.failed(1, "the snapshot: writing: File too large\n(.*\n)*With --direct", "query",
                    self.file, "SELECT 1", "--snapshot", restore_signals=False,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))


if __name__ == "__main__":
    unittest.main()
