#!/usr/bin/env python3
"""Ctrl-C and SIGTERM are heard within a second, whatever a command is doing, and a reader that
goes away ends it without a word. Every command of --help has at least one case here, on input
that would keep it busy for much longer: a case whose command ends by itself is worthless, and
fails.

With short counts (PORTOLAN_QUICK) half of the commands and a third of the hostile updates have their turn.
PORTOLAN_STOP_FACTOR: how many seconds are a second (for slow builds; default 1)."""

import base64
import fcntl
import json
import os
import pty
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
import zlib
from concurrent.futures import ThreadPoolExecutor

from support import COMMAND, COMMANDS, SOURCE, by_turns, run, wait_for_handler

sys.path.insert(0, os.path.join(SOURCE, "tests"))
sys.path.append(os.path.join(SOURCE, "tests", "support"))
sys.path.append(os.path.join(SOURCE, "tests", "files"))
import hostile_content  # noqa: E402
import make  # noqa: E402
from format_reader import row_checksum  # noqa: E402

FACTOR = float(os.environ.get("PORTOLAN_STOP_FACTOR", "1"))
SECOND = 1.0 * FACTOR  # of the processor's time, after the signal
WALL = 10 * SECOND     # a machine that has others to serve
TICK = os.sysconf("SC_CLK_TCK")


def default_signals():
    """In the child: whoever runs the tests in the background has SIGINT ignored."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def cpu_seconds(pid):
    with open("/proc/%d/stat" % pid, encoding="ascii", errors="replace") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


# ---- what the cases work on, made once ----

def hostile_phase(rules):
    """A mutable special whose one phase has so many rules that each step takes long."""
    return [
        {"type": "overmap_special", "id": "busy", "subtype": "mutable", "occurrences": [5, 5],
         "locations": ["land"], "city_distance": [0, -1], "city_sizes": [0, -1],
         "check_for_locations": [[[0, 0, 0], ["land"]]], "joins": ["j"],
         "overmaps": {"r": {"overmap": "field", "north": "j", "east": "j", "south": "j",
                            "west": "j"}},
         "root": "r",
         "phases": [[{"overmap": "r", "max": 1, "weight": 2000000000}] * rules]}]


def mistakes(count):
    """Tiles of one special that name what is not there, as text."""
    tiles = ('{"point": [%d, %d, %d], "overmap": "no_such_%d"}' % (
        i % 150, i // 150 % 150, i // 22500, i) for i in range(count))
    return ('[{"type": "overmap_special", "id": "wrong", "subtype": "fixed", "occurrences": '
            '[0, 1], "locations": ["land"], "city_distance": [0, -1], "city_sizes": [0, -1], '
            '"overmaps": [%s]}]' % ",\n".join(tiles))


class Inputs:
    """Large files in one folder. Each is made when it is asked for first."""

    def __init__(self, folder):
        self.folder = folder
        self.lock = threading.Lock()
        self.made = {}

    def __getattr__(self, name):
        with self.lock:
            if name not in self.made:
                path = os.path.join(self.folder, name)
                getattr(self, "make_" + name)(path)
                self.made[name] = path
            return self.made[name]

    def inner(self, name):
        """For those that are made of others: the lock is held."""
        if name not in self.made:
            path = os.path.join(self.folder, name)
            getattr(self, "make_" + name)(path)
            self.made[name] = path
        return self.made[name]

    @staticmethod
    def do(*arguments):
        done = run(*arguments)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)

    def make_plain(self, path):
        """The embedded content and a world."""
        self.do("import", path, "--builtin")
        self.do("new", path, "w", "--seed", 7)

    def copy_of(self, name, path):
        shutil.copyfile(self.inner(name), path)

    def make_whole(self, path):
        """Complete chunks."""
        self.copy_of("plain", path)
        self.do("generate", path, "--radius", 7, "--jobs", 2, "--quiet")

    def make_many(self, path):
        """Many chunks with little in them."""
        self.copy_of("plain", path)
        self.do("generate", path, "--radius", 40, "--jobs", 2, "--quiet", "--stop-after",
                "rivers")

    def make_row(self, path):
        """Chunks side by side: a row of OMTs is a part of all of them."""
        self.copy_of("plain", path)
        self.do("generate", path, "--rect", "0,0,7999,0", "--jobs", 2, "--quiet", "--stop-after",
                "rivers")

    def change(self, path, *statements):
        database = sqlite3.connect(path)
        for statement in statements:
            database.execute(statement)
        database.commit()
        database.close()

    def make_worlds(self, path):
        """Worlds without end, in a file of anybody's."""
        self.copy_of("plain", path)
        database = sqlite3.connect(path)
        row = list(database.execute("SELECT * FROM world WHERE name = 'w'").fetchone())[:-1]
        rows = ([10 + i, "w%d" % i] + row[2:] for i in range(200000))
        database.executemany("INSERT INTO world VALUES (%s)" % ", ".join("?" * (len(row) + 1)),
                             (values + [row_checksum("world", values)] for values in rows))
        database.commit()
        database.close()

    def make_wrong_worlds(self, path):
        """The same, and something is wrong with each."""
        self.copy_of("worlds", path)
        self.change(path, "UPDATE world SET seed = seed + 1")

    def make_wide(self, path):
        """A special of so many tiles that loading the content takes long, and a chunk: a command that has
        loaded it before the signal comes ends well, and is tried again with an earlier signal."""
        self.copy_of("plain", path)
        self.do("generate", path, "--chunk", "0,0", "--quiet")
        self.change(path, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE "
                    "i < 800000), last(special, position) AS (SELECT special, max(position) FROM "
                    "special_omt GROUP BY special LIMIT 1) INSERT INTO special_omt SELECT special, "
                    "position + i, i % 100, i / 100 % 100, 0, 'field', NULL, NULL FROM n, last")

    def make_long_name(self, path):
        """A value in which a wrong bit is looked for."""
        self.copy_of("whole", path)
        self.change(path, "UPDATE name SET name = hex(zeroblob(20000000)) WHERE id = 1")

    def make_old(self, path):
        """A file of an older schema with many rows in a table that is made anew."""
        self.copy_of("plain", path)
        make.make_older(path)
        self.change(path, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE "
                    "i < 1500000) INSERT INTO surge SELECT i, (SELECT min(id) FROM world), i, 0, 0, 1, 0 FROM n")

    def make_save(self, path):
        """A game's save: one overmap under many names."""
        os.mkdir(path)
        self.do("export", self.inner("whole"), path, "--format", "dda-save", "--rect", "0,0,0,0")
        first = os.path.join(path, "o.0.0")
        for i in range(1, 1500):
            os.link(first, os.path.join(path, "o.%d.%d" % (i % 40, i // 40)))

    def make_tmx(self, path):
        """A map of half a billion cells, which are empty, where no overmap is."""
        data = base64.b64encode(zlib.compress(bytes(1 << 26), 9)).decode()
        with open(path, "w", encoding="ascii") as file:
            file.write('<map infinite="1"><layer name="0"><data encoding="base64" compression="zlib">%s</data></layer></map>' % "".join(
                '<chunk x="%d" y="99999" width="4096" height="4096">%s</chunk>' % (4096 * i, data) for i in range(31)))

    def make_mistakes(self, path):
        os.mkdir(path)
        with open(os.path.join(path, "wrong.json"), "w", encoding="ascii") as file:
            file.write(mistakes(200000))

    def make_mod(self, path):
        """Many drawings, which all use one palette."""
        os.mkdir(path)
        drawings = [{"type": "mapgen", "om_terrain": "cabin", "object": {
            "palettes": ["stop"], "fill_ter": "t_grass", "rows": [chr(65 + i % 26) * 24] * 24}}
                    for i in range(4000)]
        with open(os.path.join(path, "mod.json"), "w", encoding="ascii") as file:
            json.dump([{"type": "palette", "id": "stop", "terrain": {"A": "t_floor"}}, *drawings], file)

    def make_busy(self, path):
        """A world in whose chunks a special grows as long as it may."""
        folder = path + "-content"
        os.mkdir(folder)
        with open(os.path.join(folder, "busy.json"), "w", encoding="ascii") as file:
            json.dump(hostile_phase(4000), file)
        self.do("import", path, "--builtin", folder)
        self.do("new", path, "w", "--seed", 7)


# ---- cases ----

class Case:
    """A command line. {NAME} is one of the inputs; {NAME:copy} a copy of it, {w} and {out} what
    is in the case's own folder. holds: a connection of somebody else's that makes it wait."""

    def __init__(self, line, says, holds=None, terminal=False, moments=(0.1, 0.3, 0.6),
                 after=None, stdin=None):
        self.line, self.says, self.holds, self.terminal = line, says, holds, terminal
        self.moments, self.after, self.stdin = moments, after, stdin
        self.command = line.split()[0]


def verifies(file):
    done = run("verify", file, "--quiet")
    assert done.returncode == 0, done.stdout + done.stderr


WAITS = "BEGIN EXCLUSIVE"
READS = "BEGIN; SELECT * FROM world"
FOREVER = ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
           "SELECT count(*) FROM n")

AT_ONCE = {"completion", "help", "shoals"}  # they print what they make at once, and end

EDITOR = b"Content-Length: %d\r\n\r\n%s" % (67, b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"a":false}}')

CASES = [
    Case("import {out}/new.db --builtin {mistakes}", "nothing was imported",
         moments=(0.1, 0.6, 3.0),
         after=lambda folder: [n for n in os.listdir(folder) if n.startswith("new.db")]),
    Case("import {out}/new.db {mistakes} --check --lenient", "nothing was imported"),
    Case("lint --builtin {mistakes}", "what was found is not all"),
    Case("lsp --builtin {mistakes}", "nothing is lost", stdin=EDITOR),
    Case("coverage --builtin --overmaps 50000 --jobs 2", "nothing can be said"),
    Case("coverage {plain} --overmaps 50000", "nothing can be said"),
    Case("change --builtin --after {mistakes} --overmaps 50000", "nothing can be said"),
    Case("change --builtin --after {mod} --overmaps 50000 --jobs 2", "nothing can be said"),
    Case("change --builtin --after {mod} --without rates,coverage,seams --pictures 9999 -q", "nothing can be said"),
    Case("loot {plain} --simulate --samples 1000000 --in field", "nothing is kept"),
    Case("mapgen * --builtin --check --times 100", "nothing is kept"),
    Case("mapgen * {plain} --check --times 100", "nothing is kept"),
    Case("mapgen cabin --builtin {mistakes} --times 400", "nothing is kept"),
    Case("new {wide:copy} other --seed 1", "no world was added"),
    Case("new {plain:copy} other --seed 1", "no world was added", holds=WAITS),
    Case("edit {plain:copy} 9,9 --set field", "an edit is stored whole or not at all", holds=WAITS, after=verifies),
    Case("import-tiled {plain:copy} {tmx}", "an edit is stored whole or not at all", after=verifies),
    Case("note {plain:copy} 9,9 --text den", "a note is stored whole or not at all", holds=WAITS, after=verifies),
    Case("marks {plain:copy} --add --rect 0,0,9,9", "marks are stored whole or not at all", holds=WAITS,
         after=verifies),
    Case("generate {plain:copy} --radius 60 --jobs 2", r"\d+ of 14641 chunks are saved|what was committed stays",
         after=verifies),
    Case("generate {busy:copy} --radius 3", r"\d+ of 49 chunks are saved|what was committed stays", after=verifies),
    Case("generate {plain:copy} --local --omt 0,0,4000,4000 --jobs 2", r"\d+ of \d+ local maps are stored|what was committed stays",
         after=verifies),
    Case("regenerate {whole:copy} --radius 7", r"\d+ of 225 chunks are made anew|what was committed stays",
         after=verifies),
    Case("status {worlds}", "what it printed is not all", moments=(0.1, 0.3)),
    Case("show {wide} --omt 0,0", "what it printed is not all"),
    Case("local {wide:copy} 0,0", "what it printed is not all"),
    Case("dump {wide} --chunk 0,0", "what it printed is not all"),
    Case("dump {plain} --chunk 0,0", "what it printed is not all", holds=WAITS),
    Case("diff {many} --base", "what it printed is not all"),
    Case("diff {wide} --base", "what it printed is not all"),
    Case("digest {many}", "no digest was made"),
    Case("query {plain} --time-limit 0 @FOREVER", "not the whole result"),
    Case("query {many} --time-limit 0 --format csv @TILES", "not the whole result"),
    Case("render {many} -o {out}/x.png --scale 4", "no picture was written"),
    Case("render {row} -o {out}/x.png --scale 1", "no picture was written", moments=(0.3, 1.0)),
    Case("render {whole} -o {out}/x.png --animate --scale 2", "no picture was written"),
    Case("render {many} -o {out}/x.svg --scale 4", "no picture was written"),
    Case("render {many} --text", "what it printed is not all|no picture was written"),
    Case("render {wide} -o {out}/x.png --rect 0,0,1,1", "no picture was written"),
    Case("serve {many} --seconds 60", "the file is as it was"),
    Case("serve {wide} --seconds 60", "the file is as it was"),
    Case("view {wide} --seconds 60", "the file is as it was", terminal=True),
    Case("verify {many}", "was not looked at"),
    Case("verify {worlds}", "was not looked at"),
    Case("verify {whole} --seams", "was not looked at"),
    Case("repair {many:copy}", "what was repaired stays", after=verifies),
    Case("repair {long_name:copy}", "what was repaired stays", moments=(0.3, 1.5)),
    Case("backup {many} {out}/copy.db --verify", "copy.db was not made"),
    Case("export {whole} {out}/save --format dda-save --force", "that were written stay"),
    Case("export {whole} {out}/m.geojson --format geojson", "no map was written"),
    Case("export {whole} {out}/m.gpkg --format gpkg", "no map was written"),
    Case("export {whole} {out}/m.pmtiles --format pmtiles --scale 16", "no map was written"),
    Case("export {whole} {out}/m.tmx --format tiled", "no map was written"),
    Case("export {whole} {out}/site --format site", "no site is complete"),
    Case("export {whole} {out}/site.html --format site", "no site is complete"),
    Case("export {whole} {out}/m.mbtiles --format mbtiles --scale 16", "no map was written"),
    Case("import-save {plain:copy} {save}", "nothing was imported", after=verifies),
    Case("journal {plain:copy} wal", "the journal is as it was", holds=READS, after=verifies),
    Case("migrate {old:copy}", "the file is as it was", moments=(0.1, 0.2, 0.4)),
    Case("why {whole} allotments", r"about \d+ of 225 chunks|nothing can be said"),
    Case("why {busy} busy --chunk 0,0", "nothing can be said"),
    Case("replay {whole} @PLACE --delay 10000", "nothing was changed", terminal=True),
    Case("try {plain} anthill --times 1000000000", "what was done until then"),
    Case("try {busy} busy --times 1000", "what was done until then"),
    Case("sweep {plain:copy} --seeds 1..100000 --jobs 2", r"\d+ of 100000 overmaps are counted|what was committed stays",
         after=verifies),
    Case("index {whole:copy}", "goes on from there", after=verifies),
    Case("stats {whole} --all", "the same command begins again"),
    Case("compare {whole} {whole} --terrains", "nothing was compared"),
    Case("find {plain} --seeds 1.. --jobs 2 --where @NEVER", "go on with --seeds|asked to its end"),
    Case("find {plain} --seeds 1.. --where @FOREVER", "asked to its end"),
    Case("find {whole} --stored --where @NEVER", "were not all looked at|asked to its end"),
]

WORDS = {"@FOREVER": FOREVER, "@TILES": "SELECT * FROM omt",
         "@NEVER": "city of size >= 99 within 2 of lake", "@PLACE": "0,0:0"}


class Attempt:
    """One run of a case: a signal at a moment, and what came of it."""

    def __init__(self, inputs, case, folder):
        self.inputs, self.case, self.folder = inputs, case, folder
        self.file = None

    def words(self):
        def fill(match):
            name, _, how = match[1].partition(":")
            if name == "out":
                return self.folder
            path = getattr(self.inputs, name)
            if how != "copy":
                self.file = self.file or path
                return path
            self.file = os.path.join(self.folder, "w.db")
            if not os.path.exists(self.file):
                shutil.copyfile(path, self.file)
            return self.file
        return [WORDS.get(word) or re.sub(r"\{([a-z_:]+)\}", fill, word)
                for word in self.case.line.split()]

    def forget(self):
        """The next one begins with a new copy: this one was done with its own."""
        for name in os.listdir(self.folder):
            if name.startswith("w.db"):
                os.remove(os.path.join(self.folder, name))

    def hold(self):
        if not self.case.holds:
            return None
        database = sqlite3.connect(self.file, isolation_level=None)
        for statement in self.case.holds.split(";"):
            database.execute(statement).fetchone()
        return database

    def start(self, words):
        out, err = self.out, self.err
        self.master = None
        if self.case.terminal:
            self.master, out = pty.openpty()
        scratch = os.path.join(self.folder, "tmp")
        os.makedirs(scratch, exist_ok=True)
        told = self.case.stdin
        process = subprocess.Popen([COMMAND, *words], stdin=subprocess.PIPE if told else subprocess.DEVNULL,
                                   stdout=out, stderr=err, preexec_fn=default_signals,
                                   env=dict(os.environ, TMPDIR=scratch))
        if told:  # the input stays open
            process.stdin.write(told)
            process.stdin.flush()
        if self.master is not None:
            os.close(out)
        return process

    def stop(self, process, number, moment):
        """What is wrong, or None; "early" if it had ended before."""
        wait_for_handler(process, number)
        time.sleep(moment)
        if process.poll() is not None:
            return "early"
        before = cpu_seconds(process.pid)
        sent = time.monotonic()
        process.send_signal(number)
        pid, usage = None, None
        while pid is None and time.monotonic() < sent + WALL:
            found, status, usage = os.wait4(process.pid, os.WNOHANG)
            pid = found or None
            if pid is None:
                time.sleep(0.005)
        took = time.monotonic() - sent
        if pid is None:
            process.kill()
            process.wait()
            return "it went on for %.1f s" % took
        process.returncode = os.waitstatus_to_exitcode(status)
        spent = usage.ru_utime + usage.ru_stime - before
        if took > SECOND and spent > SECOND:
            return "it took %.2f s, %.2f of the processor" % (took, spent)
        return None

    def judge(self, number, moment):
        with tempfile.TemporaryFile() as self.out, tempfile.TemporaryFile() as self.err:
            return self.judge_run(number, moment)

    def judge_run(self, number, moment):
        words = self.words()
        before = set(os.listdir(self.folder)) | {"tmp", "save"}
        database = self.hold()
        process = self.start(words)
        wrong = self.stop(process, number, moment)
        if database:
            database.close()
        if self.master is not None:
            os.close(self.master)
        if process.stdin:
            process.stdin.close()
        if wrong:
            return wrong
        self.err.seek(0)
        text = self.err.read().decode(errors="replace")
        if process.returncode == 0:
            return "early"
        if process.returncode != 1:
            return "exit code %d: %s" % (process.returncode, text[-300:])
        line = r"portolan %s: stopped; .*(%s)" % (self.case.command, self.case.says)
        lines = [l for l in re.split(r"[\r\n]+", text) if "stopped" in l]
        if len(lines) != 1 or not re.match(line, lines[0]):
            return "it says %r" % text[-300:]
        return self.leftovers(before)

    def leftovers(self, before):
        """Files that nobody asked for. A journal that a commit has emptied is SQLite's."""
        left = [n for n in os.listdir(self.folder) if n not in before and
                not (n.endswith("-journal") and
                     os.path.getsize(os.path.join(self.folder, n)) == 0)]
        left += ["tmp/" + n for n in os.listdir(os.path.join(self.folder, "tmp"))]
        if left:
            return "left behind: %s" % left
        for n in os.listdir(self.folder):
            if n.endswith("-lock"):
                return "a lock: " + n
        return None


def try_case(inputs, case):
    """All that is wrong with a case, as a list."""
    wrong = []
    with tempfile.TemporaryDirectory(prefix="portolan-stop-") as folder:
        attempt = Attempt(inputs, case, folder)
        attempt.words()  # so that the inputs are made before a clock runs
        for i, moment in enumerate(case.moments):
            number = (signal.SIGINT, signal.SIGTERM)[i % 2]
            seen = None
            for _ in range(5):  # a command that is nearly done may be faster than we are
                seen = attempt.judge(number, moment)
                if seen != "early":
                    break
                attempt.forget()
                moment /= 2
            if seen == "early":
                seen = "worthless: it ended before the signal came"
            if seen:
                wrong.append("%s\n    %s after %.2f s: %s" % (
                    case.line, signal.Signals(number).name, moment, seen))
        if not wrong and case.after:
            try:
                left = case.after(attempt.file if case.after is verifies else folder)
                if left:
                    wrong.append("%s\n    left behind: %s" % (case.line, left))
            except AssertionError as error:
                wrong.append("%s\n    it does not verify: %s" % (case.line, error))
    return wrong


class Stop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="portolan-stop-")
        cls.inputs = Inputs(cls.folder)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_every_command_has_a_case(self):
        commands = set(re.findall(r"(?m)^  ([a-z-]+)  ", run("--help").stdout))
        self.assertEqual(commands, set(COMMANDS) | AT_ONCE | {"change", "lsp"})  # which take no file
        self.assertEqual(commands - AT_ONCE, {case.command for case in CASES})

    def test_signals(self):
        only = os.environ.get("PORTOLAN_STOP_ONLY", "")
        cases = by_turns([case for case in CASES if only in case.line], 2, "commands to be stopped")
        with ThreadPoolExecutor(2) as pool:
            wrong = sum(pool.map(lambda case: try_case(self.inputs, case), cases), [])
        self.assertEqual(wrong, [], "\n".join(wrong))

    # ---- a reader that goes away, as head does ----

    def pipe(self, *words, ignored=False):
        """Reads a little and goes; gives the exit code and what was said."""
        scratch = os.path.join(self.folder, "pipe")
        os.makedirs(scratch, exist_ok=True)

        def before():
            default_signals()
            if ignored:
                signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        process = subprocess.Popen([COMMAND, *words], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=before, restore_signals=not ignored,
                                   env=dict(os.environ, TMPDIR=scratch))
        fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)  # what is printed is far more
        os.read(process.stdout.fileno(), 1)
        process.stdout.close()
        said = process.stderr.read().decode()
        process.stderr.close()
        code = process.wait(60 * FACTOR)
        self.assertEqual(os.listdir(scratch), [], words)
        return code, said

    def test_closed_pipe(self):
        many, whole = self.inputs.many, self.inputs.whole
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT %s FROM n"
        for words in (["query", many, endless % "i", "--format", "csv", "--limit", "0"],
                      ["render", many, "--text"], ["render", many, "-o", "-", "--scale", "8"],
                      ["dump", whole, "--chunk", "0,0"], ["show", whole, "--chunk", "0,0"],
                      ["stats", whole, "--all"], ["verify", self.inputs.wrong_worlds],
                      ["status", self.inputs.worlds],
                      ["find", self.inputs.plain, "--seeds", "1..", "--first", "0", "--quiet",
                       "--format", "csv", "--where", endless % "i, 1 AS x, 1 AS y" + " LIMIT 99"]):
            self.assertEqual(self.pipe(*words), (-signal.SIGPIPE, ""), words)
        code, said = self.pipe("dump", whole, "--chunk", "0,0", ignored=True)
        self.assertEqual(code, 1)
        self.assertRegex(said, "^portolan: writing to standard output failed: Broken pipe\n$")


def seconds_of_touching(megabytes):
    """The processor's time for a program to touch so much new memory. One step of a query may touch 600 MB, and nobody
    can stop it there: that takes 0.1 s on most machines, and 3 s on one whose host gives memory page by page."""
    process = subprocess.Popen([sys.executable, "-c", "b'x' * (%d << 20)" % megabytes])
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return usage.ru_utime + usage.ru_stime


class Hostile(unittest.TestCase):
    """Content and SQL that ask for as much as they can: each ends by itself within seconds, says
    why, and is stopped within one, wherever it is."""

    ENDS = 10 * SECOND  # of the processor's time
    SAYS = ("stopped|asks for more than is ever made of one map|the script of the update|"
            "things? on it|bytes of texts")

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="portolan-hostile-")
        content = os.path.join(cls.folder, "content")
        os.mkdir(content)
        with open(os.path.join(content, "hostile.json"), "w", encoding="ascii") as file:
            json.dump(hostile_content.content(), file)
        cls.file = os.path.join(cls.folder, "hostile.db")
        for words in (("import", cls.file, "--builtin", content),
                      ("new", cls.file, "w", "--seed", 7), ("local", cls.file, "5,5", "--quiet")):
            Inputs.do(*words)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def end(self, words, moment=None, says=SAYS, more=0):
        """What is wrong with how a command ends, by SIGTERM at a moment or by itself, or None."""
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen([COMMAND, *words], stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=out, preexec_fn=default_signals)
            before, limit = 0, self.ENDS
            if moment is not None:
                wait_for_handler(process, signal.SIGTERM)
                time.sleep(moment)
                if process.poll() is None:
                    before, limit = cpu_seconds(process.pid), SECOND + more
                    process.terminate()
            _, status, usage = os.wait4(process.pid, 0) if process.returncode is None else (
                0, process.returncode << 8, None)
            out.seek(0)
            said = out.read().decode(errors="replace")
        process.returncode = os.waitstatus_to_exitcode(status)
        spent = usage.ru_utime + usage.ru_stime - before if usage else 0
        if spent > limit:
            return "%s: %.1f s of the processor" % (" ".join(words), spent)
        if process.returncode in (0, 1) and re.search(says, said):
            return None
        return "%s: exit code %d, %r" % (" ".join(words), process.returncode, said[-300:])

    def try_update(self, update):
        with tempfile.TemporaryDirectory(prefix="portolan-stop-") as folder:
            file = os.path.join(folder, "w.db")
            wrong = []
            for moment in (0.05, None):
                shutil.copyfile(self.file, file)
                wrong.append(self.end(("local", file, "5,5", "--update", update, "--quiet"), moment))
            verifies(file)
        return [w for w in wrong if w]

    def test_every_kind_of_piece_is_here(self):
        with open(os.path.join(SOURCE, "src/mapgen/compile/compile_piece.c"), encoding="ascii") as file:
            rules = file.read().split("kinds[MAPGEN_KINDS] = {")[1].split("---- kinds")[0]
        kinds = set(re.findall(r'"(place_[a-z_]+|translate_ter|faction_owner|remove_[a-z]+s)"', rules))
        self.assertGreater(len(kinds), 25)
        self.assertEqual(kinds - {"place_beyond_bounds"} - set(hostile_content.PIECES), set())

    def test_content(self):
        with ThreadPoolExecutor(2) as pool:
            wrong = sum(pool.map(self.try_update, by_turns(hostile_content.updates(), 3, "hostile updates")), [])
        self.assertEqual(wrong, [], "\n".join(wrong))

    def test_sql(self):
        for expression in hostile_content.EXPRESSIONS:
            words = ("query", self.file, "--time-limit", "0", "SELECT length(%s) AS n" % expression)
            for moment in (0.05, None):
                self.assertIsNone(self.end(words, moment, r"(?m)^ *n$|stopped|portolan query: "))
        touching = seconds_of_touching(600)
        for sql in hostile_content.ONE_STEP:
            self.assertIsNone(self.end(("query", self.file, "--time-limit", "0", sql), 0.5, "stopped", touching))
        self.assertIsNone(self.end(("query", self.file, "--time-limit", "1", hostile_content.ONE_STEP[0]),
                                   says="passed its time limit"))

    def test_server(self):
        """It ends within a second while it works on such queries, and on such a map."""
        for expression in hostile_content.EXPRESSIONS[::3]:
            process = subprocess.Popen([COMMAND, "serve", self.file], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       preexec_fn=default_signals, text=True)
            link = re.match(r"http://(127\.0\.0\.1:(\d+))/#token=(\w+)", process.stdout.readline())
            asked = [socket.create_connection(("127.0.0.1", int(link[2]))) for _ in range(4)]
            for client in asked:
                client.sendall(("GET /data/sql?q=%s HTTP/1.1\r\nHost: %s\r\nPortolan-Token: %s\r\n\r\n" % (
                    urllib.parse.quote("SELECT length(%s)" % expression), link[1], link[3])).encode())
            time.sleep(0.2)
            before = cpu_seconds(process.pid)
            process.terminate()
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 1
            process.stdout.close()
            for client in asked:
                client.close()
            self.assertLess(usage.ru_utime + usage.ru_stime - before, SECOND, expression)


if __name__ == "__main__":
    unittest.main()
