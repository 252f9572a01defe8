#!/usr/bin/env python3
"""The kill test: every command that writes is killed (SIGKILL) again and again.

Importing, making a world, generating with all steps, the index, importing other content over it,
regenerating, repairing damage, sweeping, changing the journal, backing up, exporting, and
importing a save, one after the other in one file, with the embedded pack and with the game's
content, in both journal modes.

Some kills come at a random moment, some are aimed at a transaction that is being written: they
wait for its journal; the first of a command that commits several times comes between two commits. After each the file opens and verifies, nothing that had been reported is
missing, and files beside it are whole: the older or the newer ones. Going on, each command ends
with the tables of an undisturbed run, or, where several threads generate, with its digest.
Standard library only.
"""

import argparse
import contextlib
import hashlib
import os
import pty
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "support"))
from command import DDA, command_option, is_hot, run  # noqa: E402

SIZE = 9  # a batch of generate has 64 chunks
RECT = "0,0,%d,%d" % (SIZE - 1, SIZE - 1)
SEEDS = 12
ENDS = {"truncate": "-journal", "wal": "-wal"}
SIDES = ("", "-journal", "-wal", "-shm", "-lock")
OTHER_PACK = """[{"type": "overmap_terrain", "id": "test_hut", "name": "hut", "sym": "h", "color": "red"},
{"type": "overmap_special", "id": "test_huts", "locations": ["land"], "occurrences": [5, 9],
 "overmaps": [{"point": [0, 0, 0], "overmap": "test_hut_north"}]}]
"""
DAMAGE = """
UPDATE chunk SET level_mask = (level_mask | 4) - (level_mask & 4) WHERE id % 9 = 1;
UPDATE level SET omts = zeroblob(length(omts)) WHERE rowid % 31 = 3;
DELETE FROM level WHERE rowid % 37 = 5;
UPDATE pack SET data = zeroblob(length(data)) WHERE rowid % 29 = 3;
DELETE FROM special_placement WHERE rowid % 101 = 7;
"""


def size_of(path):
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def fail(text):
    sys.exit("FAILED: " + text)


class Victim:
    """A process whose stderr is a terminal: there commands tell of every commit."""

    def __init__(self, command, arguments):
        self.master, slave = pty.openpty()
        os.set_blocking(self.master, False)
        self.said = b""
        self.process = subprocess.Popen([command, *map(str, arguments)], stderr=slave,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        os.close(slave)

    def hear(self):
        try:
            while True:
                part = os.read(self.master, 65536)
                if not part:
                    return
                self.said += part
        except OSError:  # nothing there now, or the other end is closed
            return

    def lives(self):
        self.hear()
        return self.process.poll() is None

    def wait(self, seconds):
        end = time.monotonic() + seconds
        while self.lives() and time.monotonic() < end:
            time.sleep(min(0.001, max(0, end - time.monotonic())))

    def wait_until_hot(self, world):
        """Until a transaction's journal is complete, and the file itself is being written."""
        while self.lives() and not is_hot(world):
            time.sleep(0.0001)

    def wait_for(self, journal):
        """Until a transaction is being written."""
        before = size_of(journal)
        while self.lives():
            now = size_of(journal)
            if now > before:
                return
            before = now
            time.sleep(0.0002)

    def wait_for_report(self):
        """Until it has said that something is saved."""
        while self.lives() and not self.reported():
            time.sleep(0.0002)

    def end(self):
        """Kills it; True if it had ended by itself before."""
        self.process.kill()
        code = self.process.wait()
        self.hear()
        os.close(self.master)
        if code not in (0, -9):
            fail("exit %d after a kill: %s" % (code, self.said.decode()))
        return code == 0

    def reported(self):
        """Chunks, or overmaps, said to be saved."""
        counts = re.findall(rb"(\d+) of \d+ ", self.said)
        return int(counts[-1]) if counts else 0


# ---- what a file holds ----

def tables(path, unpacked):
    """Of each table a digest of every row, without times, runs, and checksums, which cover those.
    Of a file at rest. The tables of index are most of the rows: only where they are asked for."""
    result = {}
    with contextlib.closing(sqlite3.connect("file:%s?mode=ro&immutable=1" % path, uri=True)) as db:
        names = [row[0] for row in db.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' "
            "ESCAPE '\\' AND name NOT IN ('run', 'content_checksum') AND (?1 OR name NOT LIKE "
            "'unpacked\\_%' ESCAPE '\\') ORDER BY name", (unpacked,))]
        for name in names:
            columns = ",".join('"%s"' % row[1] for row in db.execute('PRAGMA table_info("%s")' % name)
                               if row[1] not in ("run_id", "checksum") and not row[1].endswith("_at"))
            digest = hashlib.blake2b()
            for row in db.execute('SELECT %s FROM "%s" ORDER BY %s' % (columns, name, columns)):
                digest.update(repr(row).encode())
            result[name] = digest.hexdigest()
    return result


class Place:
    """A world file, what lies beside it, and the commands that are called in it."""

    def __init__(self, command, folder, content, jobs):
        self.command, self.folder, self.content, self.jobs = command, folder, content, jobs
        os.mkdir(folder)
        self.world = os.path.join(folder, "w.db")
        self.copy = os.path.join(folder, "copy.db")
        self.out = os.path.join(folder, "out")
        self.pack = os.path.join(os.path.dirname(folder), "other.json")  # its path is in tables
        with open(self.pack, "w", encoding="utf-8") as f:
            f.write(OTHER_PACK)

    def call(self, *arguments):
        return subprocess.run([self.command, *map(str, arguments)], capture_output=True,
                              stdin=subprocess.DEVNULL, text=True, check=False)

    def run(self, *arguments):
        return run(self.command, *arguments)

    def number(self, sql):
        done = self.call("query", self.world, "--format", "csv", sql)
        return int(done.stdout.split()[-1]) if done.returncode == 0 else -1

    def digest(self, path=None, world="w"):
        done = self.call("digest", path or self.world, "--world", world)
        return done.stdout.strip() if done.returncode == 0 else ""

    def exported(self):
        found = {}
        for name in os.listdir(self.out) if os.path.isdir(self.out) else []:
            if re.fullmatch(r"o\.-?\d+\.-?\d+", name):
                with open(os.path.join(self.out, name), "rb") as f:
                    found[name] = f.read()
        return found

    def content_arguments(self):
        return ["--builtin"] if self.content == "own" else [DDA]


# ---- the commands ----

class Stage:
    """One command. prepare: before it. saved: how much of what it reports is there; -1: there is
    nothing yet that it would be in. tells: it reports what it has committed. beside: a text that says what is wrong with files beside the world."""

    def __init__(self, name, kills, arguments, saved=None, prepare=None, beside=None, damaged=False):
        self.name, self.kills, self.arguments, self.damaged = name, kills, arguments, damaged
        self.writes = not beside  # into the world file
        self.compared = name in ("import", "generate", "index", "regenerate", "repair", "import-save")
        self.tells = name in ("generate", "index", "regenerate", "sweep")
        self.saved = saved or (lambda p: 0)
        self.prepare = prepare or (lambda p: None)
        self.beside = beside or (lambda p, end: "")


def damage(p):
    with contextlib.closing(sqlite3.connect(p.world)) as db:
        db.executescript(DAMAGE)


def whole_copy(p, end):
    """The copy is not there, or verifies and is the older or the newer one."""
    if not os.path.exists(p.copy):
        return "no copy" if end or p.older else ""
    done = p.call("verify", p.copy)
    if done.returncode != 0:
        return "the copy: " + done.stdout + done.stderr
    digest = p.digest(p.copy)
    wanted = [p.digest()] if end else [p.digest(), p.older]
    return "" if digest in wanted else "the copy holds another world"


def note_copy(p):
    p.older = p.digest(p.copy) if os.path.exists(p.copy) else ""
    if p.older:
        p.run("generate", p.world, "--world", "w", "--chunk", "%d,0" % SIZE, "--quiet")


def note_export(p):
    """Older files: the newer ones, and one line more."""
    p.older_files = {name: text + b"\n" for name, text in p.exported().items()}
    for name, text in p.older_files.items():
        with open(os.path.join(p.out, name), "wb") as f:
            f.write(text)


def whole_export(p, end):
    found = p.exported()
    for name, text in found.items():
        if not (text.startswith(b"# version") and text.rstrip().endswith(b"}")):
            return name + " is not whole"
        if end and text == p.older_files.get(name):
            return name + " is the older one"
    return "a file is gone" if any(name not in found for name in p.older_files) else ""


def new_world(p):
    p.run("new", p.world, "v", "--seed", 5)
    shutil.rmtree(p.out, ignore_errors=True)
    p.run("export", p.world, p.out, "--world", "w", "--format", "dda-save", "--quiet",
          "--rect", "0,0,3,3")


def switch(mode):
    return lambda p: ["journal", p.world, mode if p.mode == "truncate" else
                      {"wal": "truncate", "truncate": "wal"}[mode]]


STAGES = [
    Stage("import", 4, lambda p: ["import", p.world, *p.content_arguments()],
          lambda p: p.number("SELECT count(*) FROM content")),
    Stage("new", 1, lambda p: ["new", p.world, "w", "--seed", p.seed]),
    Stage("generate", 9, lambda p: ["generate", p.world, "--rect", RECT, "--jobs", p.jobs],
          lambda p: p.number("SELECT count(*) FROM chunk")),
    Stage("index", 3, lambda p: ["index", p.world],
          lambda p: p.number("SELECT count(*) FROM unpacked_chunk")),
    Stage("import over it", 3, lambda p: ["import", p.world, *p.content_arguments(), p.pack]),
    Stage("regenerate", 5, lambda p: ["regenerate", p.world, "--stale", "--jobs", p.jobs],
          lambda p: p.number("SELECT count(*) FROM chunk WHERE content_id = 2")),
    Stage("repair", 4, lambda p: ["repair", p.world], prepare=damage, damaged=True),
    Stage("sweep", 4, lambda p: ["sweep", p.world, "--seeds", "1..%d" % SEEDS, "--jobs", p.jobs,
                                 "--keep-worlds"],
          lambda p: p.number("SELECT count(*) FROM sweep_chunk")),
    Stage("journal", 1, switch("wal")),
    Stage("journal back", 1, switch("truncate")),
    Stage("backup", 2, lambda p: ["backup", p.world, p.copy], prepare=note_copy, beside=whole_copy),
    Stage("backup again", 3, lambda p: ["backup", p.world, p.copy, "--replace"], prepare=note_copy,
          beside=whole_copy),
    Stage("export", 3, lambda p: ["export", p.world, p.out, "--world", "w", "--format", "dda-save",
                                  "--force"], prepare=note_export, beside=whole_export),
    Stage("export again", 3, lambda p: ["export", p.world, p.out, "--world", "w", "--format",
                                        "dda-save", "--force"], prepare=note_export,
          beside=whole_export),
    Stage("import-save", 2, lambda p: ["import-save", p.world, p.out, "--world", "v"],
          lambda p: p.number("SELECT count(*) FROM chunk WHERE origin = 'imported'"),
          prepare=new_world),
]


class Reference:
    """The stages undisturbed, as far as they are asked for: how long each takes, and what it
    leaves."""

    def __init__(self, command, folder, content, seed):
        self.place = Place(command, folder, content, 1)
        self.place.seed, self.place.mode = seed, "truncate"
        self.seconds, self.tables, self.digests = {}, {}, {}

    def reach(self, number):
        p = self.place
        for stage in STAGES[len(self.seconds):number + 1]:
            stage.prepare(p)
            start = time.monotonic()
            p.run(*stage.arguments(p))
            self.seconds[stage.name] = time.monotonic() - start
            if stage.compared:
                self.tables[stage.name] = tables(p.world, stage.name == "index")
                self.digests[stage.name] = (p.digest(), p.digest(world="v"))


class Loop:
    def __init__(self, command, folder, rng, seed, limit, seconds):
        self.command, self.folder, self.rng, self.seed = command, folder, rng, seed
        self.limit, self.end = limit, time.monotonic() + (seconds or float("inf"))
        self.kills = {stage.name: 0 for stage in STAGES}
        self.hits, self.hot, self.partial, self.reports, self.ended = 0, 0, 0, 0, 0
        self.worlds, self.stages = 0, 0
        self.references = {}

    def total(self):
        return sum(self.kills.values())

    def over(self):
        return self.total() >= self.limit or time.monotonic() >= self.end

    def strike(self, p, stage, seconds, first):
        """One process and its kill; (it ended by itself, what it reported)."""
        journal = p.world + ENDS[p.mode]
        victim = Victim(self.command, stage.arguments(p))
        aim = self.rng.random() if seconds > 0.02 and stage.writes else 1
        if first and stage.tells:  # between two commits, however fast the machine is
            victim.wait_for_report()
        elif aim < 0.3 and p.mode == "truncate":
            victim.wait_until_hot(p.world)
        elif aim < 0.5:
            victim.wait_for(journal)
            victim.wait(self.rng.uniform(0, 0.003))
        else:
            victim.wait(self.rng.uniform(0, seconds * 0.8))
        ended = victim.end()
        if not ended:
            self.kills[stage.name] += 1
            self.hits += size_of(journal) > 0
            self.hot += is_hot(p.world)
        return ended, victim.reported()

    def verify(self, p, stage):
        """After a kill. False: the file is not even set up."""
        done = p.call("verify", p.world)
        if done.returncode == 0 and re.search(r": 0 problems", done.stdout):
            return True
        early = ("it is empty", "an older schema version", "no such file")
        if stage.name == "import" and any(text in done.stderr for text in early):
            return False
        if stage.damaged and done.returncode == 1 and "problems" in done.stdout:
            return True
        fail("verify after a kill of %s: exit %d\n%s%s" % (stage.name, done.returncode,
                                                           done.stdout, done.stderr))
        return False

    def disturbed(self, p, stage, seconds):
        """Kills it so often; then it ends by itself."""
        ended, before = False, stage.saved(p)
        saved = before
        # With few kills in all, each content still gets its share.
        for n in range(stage.kills if self.limit > 100 else (stage.kills + 1) // 2):
            if self.over():
                break
            ended, reported = self.strike(p, stage, seconds, n == 0)
            self.ended += ended
            now = stage.saved(p) if self.verify(p, stage) else -1
            if now < saved or (stage.tells and reported > 0 and now < reported):
                fail("%s after a kill: %d saved; %d were before, %d had been reported" % (
                    stage.name, now, saved, reported))
            self.reports += not ended and reported > 0
            self.partial += not ended and now > max(before, 0)
            saved = now
            wrong = stage.beside(p, ended)
            if wrong:
                fail("%s after a kill: %s" % (stage.name, wrong))
            if ended:
                break
        return ended

    def finish(self, p, stage, reference, ended):
        done = None if ended else p.call(*stage.arguments(p))
        # The kill may have come right after the commit.
        over = {"new": "already", "import-save": "already", "backup": "exists already"}
        if done and done.returncode != 0 and over.get(stage.name, "\0") not in done.stderr:
            fail("%s after kills: %s" % (stage.name, done.stderr))
        wrong = stage.beside(p, True)
        if wrong:
            fail("%s at its end: %s" % (stage.name, wrong))
        run(self.command, "verify", p.world)
        self.stages += 1
        if not stage.compared:
            return
        if (p.digest(), p.digest(world="v")) != reference.digests[stage.name]:
            fail("%s: the worlds are not those of an undisturbed run" % stage.name)
        got, wanted = tables(p.world, stage.name == "index"), reference.tables[stage.name]
        other = [name for name in {**got, **wanted} if got.get(name) != wanted.get(name)]
        if p.jobs == 1 and other:
            fail("%s: not as in an undisturbed run: %s" % (stage.name, ", ".join(other)))

    def one_world(self):
        """The n-th: by turns in both journal modes, with each content, by one and two threads."""
        n = self.worlds
        contents = ["own", "game"] if os.path.isdir(DDA) else ["own"]
        content = contents[n % len(contents)]
        if content not in self.references:
            self.references[content] = Reference(
                self.command, os.path.join(self.folder, "plain-" + content), content, self.seed)
        reference = self.references[content]
        p = Place(self.command, os.path.join(self.folder, "killed"), content, 1 + n // 2 % 2)
        p.seed, p.mode = self.seed, ("truncate", "wal")[(n + n // 2) % 2]
        for number, stage in enumerate(STAGES):
            reference.reach(number)
            stage.prepare(p)
            ended = self.disturbed(p, stage, reference.seconds[stage.name])
            self.finish(p, stage, reference, ended)
            if stage.name == "import" and p.mode == "wal":
                run(self.command, "journal", p.world, "wal")
            if self.over():
                break
        left = [name for name in os.listdir(p.folder)
                if name not in ("out", *("w.db" + end for end in SIDES), "copy.db")
                and ".tmp" not in name and "-partial" not in name]
        if left:
            fail("left behind: " + ", ".join(left))
        shutil.rmtree(p.folder)
        self.worlds += 1
        if self.limit > 100:
            print("%d of %d kills, %d worlds" % (self.total(), self.limit, self.worlds), file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    command_option(parser)
    # PORTOLAN_QUICK: slow builds (tools/test)
    parser.add_argument("--kills", type=int, default=10 if "PORTOLAN_QUICK" in os.environ else 25)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--seconds", type=float, help="stop after so long, however many there were")
    options = parser.parse_args()
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError as error:
        print("SKIPPED: %s: no pseudo terminal here: %s" % (sys.argv[0], error))
        return
    start = time.monotonic()
    if not os.path.isdir(DDA):
        print("SKIPPED: kills with Debian's cataclysm-dda-data: it is not installed")
        if os.environ.get("CI") == "true":
            sys.exit(1)
    with tempfile.TemporaryDirectory() as folder:
        loop = Loop(options.command, folder, random.Random(options.seed), options.seed, options.kills,
                    options.seconds)
        while not loop.over():
            loop.one_world()
    if options.kills >= 50 and (loop.partial == 0 or loop.hits == 0):
        fail("no kill hit a command in the middle, or a transaction")
    print("%d kills (%s) in %.0f s: %d while a journal or WAL was there, %d with a journal to "
          "roll back; %d left a part of what a command does, %d came after a reported commit; %d "
          "commands were faster. Nothing that was reported is missing; all %d commands that went "
          "on, of %d worlds, ended as undisturbed"
          % (loop.total(), ", ".join("%s %d" % item for item in loop.kills.items()),
             time.monotonic() - start, loop.hits, loop.hot, loop.partial, loop.reports, loop.ended,
             loop.stages, loop.worlds))


if __name__ == "__main__":
    main()
