"""Several processes on one file: refusals, --wait, --shared, readers beside a writer, journal."""

import os
import re
import signal
import sqlite3
import subprocess
import threading
import time
import unittest

from support import COMMAND, CommandTest, run


class Writers(CommandTest):
    def start(self, *arguments):
        """The command in the background; ended at the end of the test."""
        process = subprocess.Popen([COMMAND, *map(str, arguments)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.stop, process)
        return process

    @staticmethod
    def stop(process):
        process.kill()
        process.communicate()

    def start_generating(self, *more):
        """A generate that does not end by itself; it has the lock on return."""
        process = self.start("generate", self.file, "--rect", "0,0,299,299", *more)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            self.assertIsNone(process.poll())
            try:
                with open(self.file + "-lock", encoding="utf-8") as file:
                    if "pid %d\n" % process.pid in file.read():
                        return process
            except FileNotFoundError:
                pass
            time.sleep(0.01)
        self.fail("no lock")

    def interrupt(self, process):
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("stopped", messages)

    def count(self):
        return int(self.done("query", self.file, "SELECT count(*) FROM chunk", "--format",
                             "csv").split()[-1])

    def test_second_writer(self):
        self.make_world()
        first = self.start_generating()
        who = r"w\.db: process %d on \S+ \(portolan generate\) has been writing it since " \
              r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n" % first.pid
        self.failed(1, who + "Wait for it with --wait SECONDS, or let both write with --shared",
                    "generate", self.file, "--chunk", "0,0")
        self.failed(1, who, "generate", self.file, "--chunk", "0,0", "--shared")
        for arguments in (["new", self.file, "n", "--seed", "1"],
                          ["import", self.file, "--builtin"],
                          ["import-save", self.file, self.folder],
                          ["journal", self.file, "wal"]):
            self.failed(1, who + r"Wait for it with --wait SECONDS\.\n$", *arguments)
        began = time.monotonic()
        self.failed(1, r"waiting for process %d on .*, which is writing the file\n(?s:.*)has been "
                    "writing it since .*waited for 1 s" % first.pid,
                    "generate", self.file, "--chunk", "0,0", "--wait", "1")
        self.assertGreater(time.monotonic() - began, 0.9)
        self.failed(2, "--wait 'soon'", "generate", self.file, "--chunk", "0,0", "--wait", "soon")
        waiting = self.start("new", self.file, "second", "--seed", "1", "--wait", "forever")
        self.assertRegex(waiting.stderr.readline(), "waiting for process %d" % first.pid)
        self.interrupt(first)
        output, _ = waiting.communicate(timeout=60)
        self.assertEqual(waiting.returncode, 0)
        self.assertIn("world 'second'", output)
        self.assertFalse(os.path.exists(self.file + "-lock"))

    def test_waiting_stops(self):
        self.make_world()
        first = self.start_generating()
        for number in (signal.SIGINT, signal.SIGTERM):
            waiting = self.start("generate", self.file, "--chunk", "0,0", "--wait", "forever")
            self.assertIn("waiting for", waiting.stderr.readline())
            waiting.send_signal(number)
            waiting.communicate(timeout=10)
            self.assertNotEqual(waiting.returncode, 0)
        self.interrupt(first)

    def test_killed_writer_stops_nobody(self):
        self.make_world()
        first = self.start_generating()
        self.stop(first)
        self.assertTrue(os.path.exists(self.file + "-lock"))
        self.done("generate", self.file, "--chunk", "-1,-1")
        self.assertFalse(os.path.exists(self.file + "-lock"))
        self.done("verify", self.file)

    def test_shared(self):
        self.make_world()
        first, second = self.start_generating("--shared"), self.start_generating("--shared")
        self.done("generate", self.file, "--rect", "-2,-1,-1,-1", "--shared")
        self.failed(1, "sharing it", "generate", self.file, "--chunk", "0,0")
        self.failed(1, "WAL mode has one writer|sharing it", "journal", self.file, "wal")
        self.interrupt(first)
        self.interrupt(second)
        self.assertFalse(os.path.exists(self.file + "-lock"))
        self.done("verify", self.file)

    def read_all_the_time(self, stop, failures, counts):
        """What readers do, until told to stop."""
        commands = (["query", self.file, "SELECT count(*) FROM chunk"],
                    ["status", self.file], ["digest", self.file],
                    ["dump", self.file, "--chunk", "-1,-1", "--level", "0"],
                    ["verify", self.file, "--quiet"])
        number = 0
        while not stop.is_set():
            result = run(*commands[number % len(commands)])
            if result.returncode != 0:
                failures.append(result.stderr)
            number += 1
        counts.append(number)

    def check_readers(self, seconds):
        self.done("generate", self.file, "--chunk", "-1,-1")
        writer = self.start_generating("--jobs", "2")
        stop, failures, counts = threading.Event(), [], []
        readers = [threading.Thread(target=self.read_all_the_time, args=(stop, failures, counts))
                   for _ in range(3)]
        for reader in readers:
            reader.start()
        time.sleep(seconds)
        self.assertIsNone(writer.poll())
        stop.set()
        for reader in readers:
            reader.join()
        self.interrupt(writer)
        self.assertEqual(failures, [])
        self.assertGreater(min(counts), 1)
        self.assertGreater(self.count(), 1)
        self.done("verify", self.file)

    def test_readers_beside_a_writer(self):
        seconds = float(os.environ.get("PORTOLAN_SOAK_READERS", "1.5"))
        self.make_world()
        self.check_readers(seconds)
        self.done("journal", self.file, "wal")
        self.check_readers(seconds)

    def test_a_reader_that_stays(self):
        """A read of another program holds generate up; it tells whom it waits for."""
        self.make_world()
        reader = sqlite3.connect(self.file, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM chunk").fetchone()
        writer = self.start("generate", self.file, "--chunk", "0,0")
        line = writer.stderr.readline()
        self.assertRegex(line, r"waiting for process %d \(.*\), which has the file locked"
                         % os.getpid())
        self.interrupt(writer)
        writer = self.start("generate", self.file, "--chunk", "1,0")
        time.sleep(0.3)
        reader.execute("COMMIT")
        reader.close()
        _, messages = writer.communicate(timeout=60)
        self.assertEqual((writer.returncode, messages), (0, ""))
        self.assertEqual(self.count(), 1)

    def test_journal(self):
        self.make_world()
        self.assertEqual(self.done("journal", self.file), "journal: truncate\n")
        self.failed(2, "'delete'", "journal", self.file, "delete")
        text = self.done("journal", self.file, "wal")
        self.assertRegex(text, r"^journal: wal\n")
        version = tuple(int(part) for part in sqlite3.sqlite_version.split("."))
        if (3, 45, 0) <= version < (3, 50, 7) or version < (3, 44, 6):
            self.assertIn("SQLite %s can damage" % sqlite3.sqlite_version, text)
        self.assertEqual(self.done("journal", self.file), text)
        self.failed(1, "WAL mode has one writer", "generate", self.file, "--chunk", "0,0",
                    "--shared")
        self.done("generate", self.file, "--rect", "0,0,1,0", "--jobs", "2")
        self.assertFalse(os.path.exists(self.file + "-wal"))
        writer = self.start_generating()
        self.stop(writer)
        self.assertRegex(self.done("verify", self.file),
                         "0 problems\njournal: wal, with SQLite")
        self.assertIn("journal: wal, with SQLite", self.done("status", self.file))
        self.done("generate", self.file, "--chunk", "-5,0")
        wal = self.done("digest", self.file)
        self.assertEqual(self.done("journal", self.file, "truncate"), "journal: truncate\n")
        self.assertEqual(self.done("digest", self.file), wal)
        self.assertTrue(re.match("[0-9a-f]{64} ", wal))
        self.assertFalse(os.path.exists(self.file + "-wal"))


if __name__ == "__main__":
    unittest.main()
