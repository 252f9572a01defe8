"""Files of content that another program writes while lint, import, change and lsp read them. strace holds back each
first look into a file, so that the file changes between the look at its size and the reading, on any machine."""

import json
import os
import subprocess
import sys
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "cli"), os.path.join(os.path.dirname(HERE), "lsp")]
from client import COMMAND, Client  # noqa: E402 pylint: disable=wrong-import-position
from support import CommandTest, other_program, run  # noqa: E402 pylint: disable=wrong-import-position

TERRAIN = {"type": "overmap_terrain", "name": "x", "sym": "x", "color": "red"}
DELAY = 0.5  # seconds before each reading
RESTLESS = "another program changes it while it is read"


def terrains(*ids):
    # A number between blanks at the end: what is cut off is no JSON any more.
    return json.dumps([{**TERRAIN, "id": i} for i in ids], indent=8)


def open_files(pid):
    """The paths that the children of a process have open."""
    found = set()
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as file:
            for child in file.read().split():
                folder = "/proc/%s/fd" % child
                found |= {os.readlink(os.path.join(folder, fd)) for fd in os.listdir(folder)}
    except OSError:  # one ends, or closes a file
        pass
    return found


class Race(threading.Thread):
    """Writes to each file, once it is open, what ACTS says; `restless` is written all the time."""

    ACTS = {"cut": "[]", "grown": terrains("g1", "g2", "g3"), "swapped": "[]", "gone": None, "restless": ""}

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.folder, self.pid, self.over, self.done = folder, None, False, []
        for name in self.ACTS:
            with open(self.file(name), "w", encoding="ascii") as file:
                file.write(terrains(name))

    def file(self, name):
        return os.path.join(self.folder, name + ".json")

    def act(self, name, text):
        path = self.file(name)
        if name == "gone":
            os.remove(path)
        elif name == "swapped":
            with open(path + ".new", "w", encoding="ascii") as file:
                file.write(text)
            os.replace(path + ".new", path)
        else:
            with open(path, "w" if name == "cut" else "r+", encoding="ascii") as file:
                file.write(text)
        self.done.append(name)

    def run(self):
        left, restless = dict(self.ACTS), self.file("restless")
        del left["restless"]
        while not self.over:
            now = open_files(self.pid) if self.pid and left else ()
            for name in [n for n in left if self.file(n) in now]:
                self.act(name, left.pop(name))
            with open(restless, "a", encoding="ascii") as file:
                file.write(" ")
            time.sleep(0.005)


class Racing(CommandTest):
    def setUp(self):
        super().setUp()
        other_program(self, "strace")
        self.mod = os.path.join(os.path.realpath(self.folder), "mod")
        os.mkdir(self.mod)
        self.race = Race(self.mod)
        self.race.start()
        self.addCleanup(self.end_race)
        paths = [word for name in Race.ACTS for word in ("-P", self.race.file(name))]
        self.prefix = ["strace", "-f", "-o", self.path("log"), *paths, "-e", "trace=read,pread64",
                       "-e", "inject=read,pread64:delay_enter=%d" % (DELAY * 1e6)]
        self.env = {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}

    def end_race(self):
        self.race.over = True
        self.race.join()

    def raced(self, *words):
        process = subprocess.Popen([*self.prefix, COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, env=self.env)
        self.race.pid = process.pid
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1, out + err)
        self.check_race()
        return out, err

    def check_race(self):
        self.end_race()
        self.assertEqual(sorted(self.race.done), ["cut", "gone", "grown", "swapped"])

    def test_lint(self):
        out, _ = self.raced("lint", "--builtin", self.mod, "--format", "jsonl", "-q")
        found = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([(f["code"], f["severity"], f["message"]) for f in found if f["code"] != "MG312"],
                         [("FI101", "error", RESTLESS)])
        self.assertEqual(found[0]["file"], self.race.file("restless"))
        # What was read: the old text of files that were replaced or removed, the new one of those rewritten.
        self.assertEqual({f["id"] for f in found if f["code"] == "MG312"}, {"g1", "g2", "g3", "gone", "swapped"})

    def test_import(self):
        _, err = self.raced("import", self.file, "--builtin", self.mod, "-q")
        self.assertIn("restless.json: ", err)
        self.assertIn(RESTLESS, " ".join(err.split()))
        self.assertFalse(os.path.exists(self.file))

    def test_change(self):
        old = self.path("old")
        os.mkdir(old)
        _, err = self.raced("change", "--builtin", self.mod, "--before", self.write("old/a.json", "[]"), "--without",
                            "rates,coverage,loot,seams,pictures", "-q")
        self.assertIn("restless.json: ", err)
        self.assertIn(RESTLESS, " ".join(err.split()))

    def test_lsp(self):
        client = Client("--builtin", self.mod, prefix=self.prefix, env=self.env)
        self.addCleanup(client.drop)
        self.race.pid = client.process.pid
        client.begin()
        client.post("portolan/checked")
        self.assertIsNotNone(client.answer(timeout=60))
        self.check_race()
        found = {path: [d["code"] for d in all_ if d["code"] != "MG312"] for path, all_ in client.diagnostics.items()}
        self.assertEqual({p: c for p, c in found.items() if c}, {self.race.file("restless"): ["FI101"]})
        # It has come to rest: the next check, after a save, finds nothing wrong.
        client.notify("textDocument/didSave", textDocument={"uri": "file://" + self.race.file("restless")})
        client.post("portolan/checked")
        self.assertIsNotNone(client.answer(timeout=60))
        self.assertEqual([d["code"] for d in client.diagnostics[self.race.file("restless")]], ["MG312"])
        client.end()

    def test_at_random(self):
        """Without strace: files, and the folder itself, come and go as fast as they can."""
        self.end_race()
        over = threading.Event()

        def change():
            number = 0
            while not over.is_set():
                number += 1
                try:
                    os.makedirs(self.mod, exist_ok=True)
                    name = self.race.file("n%d" % (number % 7))
                    with open(name, "w" if number % 3 else "a", encoding="ascii") as file:
                        file.write(terrains(*map(str, range(number * 37 % 500))))
                    if number % 5 == 0:
                        os.remove(name)
                    if number % 11 == 0:
                        os.rename(self.mod, self.mod + "2")
                        os.rename(self.mod + "2", self.mod)
                except OSError as error:
                    raise AssertionError(error) from error
        thread = threading.Thread(target=change)
        thread.start()
        try:
            for _ in range(25):
                done = run("lint", "--builtin", self.mod, "--format", "jsonl", "-q", timeout=60)
                self.assertIn(done.returncode, (0, 1, 2), done.stderr)
                for line in done.stdout.splitlines():
                    found = json.loads(line)
                    self.assertTrue(found["file"] and found["message"], found)
                if done.returncode == 2:
                    self.assertIn("is not there", done.stderr)
        finally:
            over.set()
            thread.join()


if __name__ == "__main__":
    unittest.main()
