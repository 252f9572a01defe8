#!/usr/bin/env python3
"""A full disk, and files and folders that can't be written.

On a file system of a megabyte (a tmpfs in a mount namespace of its own): importing and
generating until nothing fits end with exit code 1 and a message that names the file, says what
is wrong and what to do; the file verifies; with more space the same command goes on, and the
world is that of an undisturbed run. Where such a file system can't be mounted the test says
SKIPPED. Standard library only.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "support"))
from command import command_option, is_hot, land_arguments, run  # noqa: E402

RECT = ["--rect", "0,0,11,11", "--stop-after", "lakes"]
NOBODY = 65534


def mount(folder, size, *more):
    options = ",".join(("size=%dk" % size, "mode=755") + more)
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)


def remount(folder, options):
    subprocess.run(["mount", "-o", "remount," + options, folder], check=True)


def expect(ok, what, done):
    if not ok:
        sys.exit("FAILED: %s\nexit %d\n%s%s" % (what, done.returncode, done.stdout, done.stderr))


class Small:
    """The tests on the small file system."""

    def __init__(self, command, folder, seed):
        self.command, self.folder, self.seed = command, folder, seed
        self.world = os.path.join(folder, "w.db")

    def call(self, *arguments, **more):
        return subprocess.run([self.command, *map(str, arguments)], capture_output=True,
                              stdin=subprocess.DEVNULL, text=True, **more)

    def refused(self, what, pattern, *arguments, **more):
        """Fails with exit code 1, the file's name, and what the pattern says."""
        done = self.call(*arguments, **more)
        expect(done.returncode == 1 and self.world in done.stderr
               and re.search(pattern, done.stderr, re.I), what, done)
        return done.stderr

    def wanted(self, folder):
        plain = os.path.join(folder, "plain.db")
        run(self.command, *land_arguments(plain))
        run(self.command, "new", plain, "w", "--seed", self.seed)
        run(self.command, "generate", plain, *RECT)
        return run(self.command, "digest", plain).strip()

    def says_full(self, what, done):
        """The last lines say what is wrong with which file, and what to do."""
        said = done.stderr[done.stderr.rfind("portolan "):]
        expect(done.returncode == 1 and self.world in said and "full" in said
               and "space" in said, what, done)
        return said

    # ---- full ----

    def whole(self, what):
        """The file verifies, or nothing was set up yet."""
        done = self.call("verify", self.world)
        early = re.search("it is empty|older schema|no such file", done.stderr)
        expect(done.returncode == 0 or early, what, done)

    def importing(self):
        """With more and more space, until it fits."""
        tries = 0
        for size in range(16, 2000, 48):
            remount(self.folder, "size=%dk" % size)
            done = self.call(*land_arguments(self.world))
            if done.returncode == 0:
                break
            self.says_full("importing on a full disk", done)
            self.whole("after importing on a full disk")
            tries += 1
        if tries < 3:
            sys.exit("FAILED: importing fitted after %d tries" % tries)
        return tries

    def generating(self, mode):
        """Full again and again; in the end all fits."""
        run(self.command, "journal", self.world, mode)
        fillings, message = 0, ""
        while True:
            done = self.call("generate", self.world, *RECT)
            if done.returncode == 0:
                break
            message = self.says_full("generating on a full disk (%s)" % mode, done)
            self.whole("after generating on a full disk (%s)" % mode)
            fillings += 1
            if fillings == 30:
                sys.exit("FAILED: the disk is always full (%s): %s" % (mode, message))
            # A transaction that did not fit is gone: more space for it each time.
            remount(self.folder, "size=%dk" % (self.used() + 60 * (fillings + 1)))
        if fillings < 2:
            sys.exit("FAILED: the disk was full %d times" % fillings)
        run(self.command, "verify", self.world)
        return fillings, message

    def used(self):
        s = os.statvfs(self.folder)
        return (s.f_blocks - s.f_bfree) * s.f_frsize // 1024

    def full(self, wanted):
        tries = self.importing()
        remount(self.folder, "size=%dk" % (self.used() + 60))
        prepared = None
        for mode in ("truncate", "wal"):
            if prepared is None:
                run(self.command, "new", self.world, "w", "--seed", self.seed)
                prepared = open(self.world, "rb").read()
            else:
                self.clear()
                remount(self.folder, "size=%dk" % (len(prepared) // 1024 + 250))
                with open(self.world, "wb") as f:
                    f.write(prepared)
            fillings, message = self.generating(mode)
            got = run(self.command, "digest", self.world).strip()
            if got != wanted:
                sys.exit("FAILED: filled %s, undisturbed %s" % (got, wanted))
            print("%s: full %d times while importing, %d times while generating; then the "
                  "world of an undisturbed run. It said:\n%s" % (
                      mode, tries, fillings, message.strip()))

    def clear(self):
        for name in os.listdir(self.folder):
            os.remove(os.path.join(self.folder, name))

    # ---- not to be written ----

    def kill_in_transaction(self):
        """Leaves a journal to roll back."""
        for i in range(60):
            rect = "%d,100,%d,107" % (8 * i, 8 * i + 7)
            victim = subprocess.Popen(
                [self.command, "generate", self.world, "--rect", rect, "--stop-after", "lakes"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while victim.poll() is None and not is_hot(self.world):
                time.sleep(0.0001)
            victim.send_signal(signal.SIGKILL)
            victim.wait()
            if is_hot(self.world):
                return
            run(self.command, "journal", self.world, "truncate")
        sys.exit("FAILED: no kill hit a transaction")

    def read_only(self):
        self.clear()
        remount(self.folder, "size=32m")
        run(self.command, *land_arguments(self.world))
        run(self.command, "new", self.world, "w", "--seed", self.seed)
        run(self.command, "generate", self.world, "--chunk", "0,0")
        generate = ["generate", self.world, "--chunk", "1,0"]
        unwritable = "read-only|can't be written|permission"
        remount(self.folder, "ro")
        self.refused("generating on a read-only disk", unwritable, *generate)
        for reading in ("verify", "status", "digest"):
            run(self.command, reading, self.world)
        remount(self.folder, "rw")
        self.as_nobody(generate, unwritable)
        self.kill_in_transaction()
        remount(self.folder, "ro")
        before = sorted(os.listdir(self.folder))
        result = self.call("verify", self.world)
        if result.returncode != 0 or "a copy of" not in result.stderr:
            sys.exit("FAILED: reading with a journal to roll back\n%s%s" % (
                result.stdout, result.stderr))
        print(result.stderr.strip())
        digest = run(self.command, "digest", self.world)
        if not is_hot(self.world) or sorted(os.listdir(self.folder)) != before:
            sys.exit("FAILED: reading changed what lies on a read-only disk")
        remount(self.folder, "rw")
        run(self.command, "verify", self.world)
        if is_hot(self.world) or run(self.command, "digest", self.world) != digest:
            sys.exit("FAILED: another digest with the journal rolled back")

    def as_nobody(self, generate, unwritable):
        """Permissions count for a user that is not root."""
        if os.geteuid() != 0 or self.call("--version", user=NOBODY).returncode != 0:
            print("SKIPPED: %s: permissions, no other user can run the command" % sys.argv[0])
            return
        os.chmod(self.world, 0o644)
        os.chmod(self.folder, 0o777)
        if subprocess.run(["test", "-r", self.world], user=NOBODY, check=False).returncode != 0:
            print("SKIPPED: %s: permissions, TMPDIR is closed to other users" % sys.argv[0])
            return
        print(self.refused("generating into a read-only file", unwritable, *generate,
                           user=NOBODY).strip())
        os.chmod(self.world, 0o666)
        os.chmod(self.folder, 0o755)
        print(self.refused("generating in a read-only folder", unwritable, *generate,
                           user=NOBODY).strip())
        for reading in ("verify", "status", "digest"):
            done = self.call(reading, self.world, user=NOBODY)
            expect(done.returncode == 0, "%s in a read-only folder" % reading, done)


def inside(options):
    """In the namespace."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        small = os.path.join(folder, "small")
        os.mkdir(small)
        mount(small, 16)
        try:
            # Nobody may not enter TMPDIR: the mount is reached by a path of its own.
            test = Small(options.command, small, options.seed)
            test.full(test.wanted(folder))
            test.read_only()
        finally:
            subprocess.run(["umount", small], check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    command_option(parser)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        inside(options)
        return
    unshare = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "-r", "--mount"]
    with tempfile.TemporaryDirectory() as folder:
        trial = [*unshare, "mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", folder]
        if not shutil.which("unshare") or subprocess.run(
                trial, stderr=subprocess.DEVNULL).returncode != 0:
            print("SKIPPED: %s: no file system can be mounted here" % sys.argv[0])
            return
    code = subprocess.run([*unshare, sys.executable, os.path.abspath(__file__), "--inside",
                           "--command", options.command, "--seed", str(options.seed)]).returncode
    sys.exit(code)


if __name__ == "__main__":
    main()
