"""Whatever a command makes is on the disk before its name is, and its name before the command ends.

A library (tests/support/crash/disk_preload.c) writes down what the command, and what it starts, does to
files: of each file that is there at the end the last write comes before a sync of it, that before
the file got its name, and a sync of the folder after that.
"""

import os
import shutil
import unittest

from support import CommandTest

PRELOAD = os.environ.get("PORTOLAN_DISK_PRELOAD")


def events(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as log:
        for line in log:
            what, inode, *name = line.rstrip("\n").split(" ", 2)
            yield what, int(inode), name[0] if name else ""


def last(items, wanted, before=None):
    """The index of the last event that is wanted; -1 if there is none."""
    found = [i for i, item in enumerate(items[:before]) if wanted(item)]
    return found[-1] if found else -1


@unittest.skipIf(PRELOAD is None, "the library is not built here")
class Synced(CommandTest):
    def setUp(self):
        super().setUp()
        self.make_world()
        self.done("generate", self.file, "--rect", "0,0,1,1", "--quiet")
        self.out = self.path("out")
        os.mkdir(self.out)

    def check(self, count, *arguments):
        """The command leaves so many files, at least, in the folder `out`."""
        log = self.path("log")
        self.done(*arguments, env={**os.environ, "LD_PRELOAD": PRELOAD, "PORTOLAN_DISK_LOG": log})
        items = list(events(log))
        os.remove(log)
        names = sorted(os.listdir(self.out))
        self.assertGreaterEqual(len(names), count, names)
        folder = os.stat(self.out).st_ino
        for name in names:
            path = os.path.join(self.out, name)
            inode = os.stat(path).st_ino
            with self.subTest(name=name, command=arguments[0]):
                named = last(items, lambda e: e[0] == "name" and os.path.realpath(
                    os.path.dirname(e[2])) == os.path.realpath(self.out)
                    and os.path.basename(e[2]) == name)
                self.assertGreaterEqual(named, 0, "it got its name in no known way")
                self.assertEqual(items[named][1], inode, "another file has the name now")
                written = last(items, lambda e: e[:2] == ("write", inode))
                synced = last(items, lambda e: e[:2] == ("sync", inode), named)
                self.assertGreater(synced, written, "it was not synced before it got its name")
                self.assertIn(("sync", folder, ""), items[named:], "its folder was not synced")

    def test_backup(self):
        self.check(1, "backup", self.file, os.path.join(self.out, "copy.db"))
        self.check(1, "backup", self.file, os.path.join(self.out, "copy.db"), "--replace")
        self.done("journal", self.file, "wal")
        self.check(1, "backup", self.file, os.path.join(self.out, "copy.db"), "--replace")

    def test_pictures(self):
        self.check(1, "render", self.file, "-o", os.path.join(self.out, "p.png"))
        self.check(1, "render", self.file, "-o", os.path.join(self.out, "p.png"))

    def test_exports(self):
        for _ in range(2):
            self.check(1, "export", self.file, self.out, "--format", "dda-save", "--force")

    def test_comparisons(self):
        for form in ("csv", "json", "junit"):
            self.check(1, "compare", self.file, self.file, "--format", form, "-o",
                       os.path.join(self.out, "result"))

    @unittest.skipUnless(shutil.which("gnuplot"), "charts are drawn by gnuplot")
    def test_charts(self):
        self.check(1, "stats", self.file, "--charts", self.out)


if __name__ == "__main__":
    unittest.main()
