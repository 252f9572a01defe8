#!/usr/bin/env python3
"""The kill test: importing, making a world and generating are killed (SIGKILL) again and again.

Some kills come at a random moment, some are aimed at a transaction that is being written: they
wait for its journal. After each the file opens and verifies, and nothing that had been reported
is missing: the chunks of the last progress line, and what an earlier process had said. Going on
ends with the digest of an undisturbed run; then the next world begins, in the other journal
mode. Standard library only.
"""

import argparse
import os
import pty
import random
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "support"))
from command import command_option, is_hot, land_arguments, run  # noqa: E402

SIZE = 16
RECT = ["--rect", "0,0,%d,%d" % (SIZE - 1, SIZE - 1), "--stop-after", "lakes"]
ENDS = {"truncate": "-journal", "wal": "-wal"}


def size_of(path):
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


class Victim:
    """A process whose stderr is a terminal: there generate tells of every commit."""

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

    def end(self):
        """Kills it; True if it had ended by itself before."""
        self.process.kill()
        code = self.process.wait()
        self.hear()
        os.close(self.master)
        if code not in (0, -9):
            sys.exit("FAILED: exit %d after a kill: %s" % (code, self.said.decode()))
        return code == 0

    def reported(self):
        """Chunks said to be saved."""
        counts = re.findall(rb"(\d+) of \d+ chunks", self.said)
        return int(counts[-1]) if counts else 0


class Loop:
    def __init__(self, command, folder, rng, seed):
        self.command, self.rng, self.seed = command, rng, seed
        self.world = os.path.join(folder, "killed.db")
        self.plain = os.path.join(folder, "plain.db")
        self.kills = {"import": 0, "new": 0, "generate": 0}
        self.hits, self.hot, self.partial, self.worlds, self.reports = 0, 0, 0, 0, 0
        self.mode = "truncate"
        self.seconds = {}

    def undisturbed(self):
        for phase, arguments in (("import", land_arguments(self.plain)),
                                 ("new", ["new", self.plain, "w", "--seed", self.seed]),
                                 ("generate", ["generate", self.plain, *RECT])):
            start = time.monotonic()
            run(self.command, *arguments)
            self.seconds[phase] = time.monotonic() - start
        self.wanted = run(self.command, "digest", self.plain).strip()

    def total(self):
        return sum(self.kills.values())

    def strike(self, phase, arguments):
        """One process and its kill; (it ended by itself, the chunks it reported)."""
        journal = self.world + ENDS[self.mode]
        victim = Victim(self.command, arguments)
        # Making a world is over before it could be aimed at.
        aim = self.rng.random() if phase != "new" else 1
        if aim < 0.4 and self.mode == "truncate":
            victim.wait_until_hot(self.world)
        elif aim < 0.6:
            victim.wait_for(journal)
            victim.wait(self.rng.uniform(0, 0.003))
        else:
            share = 0.4 if phase == "generate" else 0.8
            victim.wait(self.rng.uniform(0, self.seconds[phase] * share))
        ended = victim.end()
        if not ended:
            self.kills[phase] += 1
            self.hits += size_of(journal) > 0
            self.hot += is_hot(self.world)
        return ended, victim.reported()

    def verify(self):
        """Chunks in the killed file; -1 if it was not even set up."""
        done = subprocess.run([self.command, "verify", self.world], capture_output=True,
                              stdin=subprocess.DEVNULL, text=True)
        counts = re.match(r"checked (\d+) chunks.*: 0 problems", done.stdout)
        if done.returncode == 0 and counts:
            return int(counts.group(1))
        early = ("it is empty", "an older schema version", "no such file")
        if any(text in done.stderr for text in early):
            return -1
        sys.exit("FAILED: verify after a kill: exit %d\n%s%s" % (
            done.returncode, done.stdout, done.stderr))

    def set_up(self, phase, arguments, kills):
        """Importing, or making a world: all of it or nothing is there after a kill."""
        for _ in range(kills):
            ended, _ = self.strike(phase, arguments)
            state = self.verify()
            if ended and state < 0:
                sys.exit("FAILED: %s was done, and is gone" % phase)
            if ended:
                return
        done = subprocess.run([self.command, *map(str, arguments)], capture_output=True,
                              stdin=subprocess.DEVNULL, text=True)
        # The kill may have come right after the commit.
        if done.returncode != 0 and not (phase == "new" and "already" in done.stderr):
            sys.exit("FAILED: %s after a kill: %s" % (phase, done.stderr))

    def generate(self, limit):
        saved, ended = 0, False
        while not ended and self.total() < limit:
            jobs = self.rng.randint(1, 2)
            ended, reported = self.strike(
                "generate", ["generate", self.world, *RECT, "--jobs", jobs])
            now = self.verify()
            if now < max(saved, reported) or (ended and now < SIZE * SIZE):
                sys.exit("FAILED: %d chunks after a kill; %d were there before, %d had been "
                         "reported" % (now, saved, reported))
            saved = now
            self.reports += not ended and reported > 0
            self.partial += not ended and 0 < now < SIZE * SIZE
        run(self.command, "generate", self.world, *RECT)

    def one_world(self, limit):
        for end in ("", "-journal", "-wal", "-shm", "-lock"):
            if os.path.exists(self.world + end):
                os.remove(self.world + end)
        self.mode = "truncate"
        self.set_up("import", land_arguments(self.world), 2)
        self.mode = ("truncate", "wal")[self.worlds % 2]
        run(self.command, "journal", self.world, self.mode)
        self.set_up("new", ["new", self.world, "w", "--seed", self.seed], 1)
        self.generate(limit)
        run(self.command, "verify", self.world)
        got = run(self.command, "digest", self.world).strip()
        if got != self.wanted:
            sys.exit("FAILED: after kills %s, undisturbed %s" % (got, self.wanted))
        self.worlds += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    command_option(parser)
    # PORTOLAN_QUICK: slow builds (tools/test)
    parser.add_argument("--kills", type=int, default=10 if "PORTOLAN_QUICK" in os.environ else 50)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError as error:
        print("SKIPPED: %s: no pseudo terminal here: %s" % (sys.argv[0], error))
        return
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        loop = Loop(options.command, folder, random.Random(options.seed), options.seed)
        loop.undisturbed()
        while loop.total() < options.kills:
            loop.one_world(options.kills)
    if not re.match(r"[0-9a-f]{64} ", loop.wanted) or loop.partial == 0 or loop.hits == 0:
        sys.exit("FAILED: no kill hit a world in the making, or a transaction")
    print("%d kills (%s) in %.0f s: %d while a journal or WAL was there, %d with a journal to "
          "roll back; %d left a part of a world, %d came after a reported commit; nothing that "
          "was reported is missing; all %d worlds ended with the digest of an undisturbed run\n%s"
          % (loop.total(), ", ".join("%s %d" % item for item in loop.kills.items()),
             time.monotonic() - start, loop.hits, loop.hot, loop.partial, loop.reports,
             loop.worlds, loop.wanted))


if __name__ == "__main__":
    main()
