"""What the end-to-end tests share: running the command, a small content pack, reading PNGs."""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

COMMAND = os.environ.get("PORTOLAN_COMMAND", "portolan")
SOURCE = os.environ.get("PORTOLAN_SOURCE_DIR",
                        os.path.dirname(os.path.dirname(os.path.dirname(__file__))))
DDA = "/usr/share/games/cataclysm-dda/json"


WITHOUT_FILE = ["change", "completion", "lsp", "shoals"]  # the commands that take no world file


def _read_commands():
    """The names in the one list of commands, but for those of WITHOUT_FILE."""
    with open(os.path.join(SOURCE, "src/clients/cli/line/commands.h"), encoding="utf-8") as file:
        names = re.findall(r"(?m)^ +X\(([a-z_]+)\)", file.read())
    return [name.replace("_", "-") for name in names if name not in WITHOUT_FILE]


COMMANDS = _read_commands()


def _take_a_share(names_of, turn, share):
    """Where PORTOLAN_SHORT is "turn/share" (tools/test) one in `share` of a class's cases runs, at least one."""
    def names(loader, cls):
        every = names_of(loader, cls)
        return [n for i, n in enumerate(every) if i % share == turn % min(share, len(every))]
    return names


if "PORTOLAN_SHORT" in os.environ:
    unittest.TestLoader.getTestCaseNames = _take_a_share(unittest.TestLoader.getTestCaseNames,
                                                         *map(int, os.environ["PORTOLAN_SHORT"].split("/")))


def by_turns(cases, share, what):
    """Of many cases that are alike: all of them, or with short counts (PORTOLAN_QUICK) one in `share`, or in the
    share that PORTOLAN_SHORT names if that is smaller, by turns (PORTOLAN_TURN, tools/lib.sh), which is said.
    (PORTOLAN_ALL_EIGHTHS: all.)"""
    cases = list(cases)
    if "PORTOLAN_QUICK" not in os.environ or "PORTOLAN_ALL_EIGHTHS" in os.environ:
        return cases
    share = min(max(share, int(os.environ.get("PORTOLAN_SHORT", "0/1").split("/")[1])), len(cases))
    # The remainder by 8 says which tests have all counts, and which run under the address sanitizer.
    turn = int(os.environ.get("PORTOLAN_TURN", "0")) // 8 % share
    print("LEFT OUT: %s takes 1 in %d of its %s, those of turn %d" % (
        os.path.basename(sys.argv[0]), share, what, turn))
    return cases[turn::share]


_builtin = None  # a folder with a file that has the embedded content


def wait_for_handler(process, number, seconds=60):
    """Until the process handles the signal: before that it would only die of it."""
    deadline = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < deadline:
        with open("/proc/%d/status" % process.pid, encoding="ascii", errors="replace") as status:
            caught = re.search(r"^SigCgt:\s*([0-9a-f]+)", status.read(), re.MULTILINE)
        if caught and int(caught[1], 16) >> (number - 1) & 1:
            return
        time.sleep(0.01)


def run(*arguments, stdin="", timeout=240, **more):
    """Runs the command; the result has returncode, stdout and stderr (text)."""
    return subprocess.run([COMMAND, *map(str, arguments)], input=stdin, capture_output=True,
                          text=True, timeout=timeout, check=False, **more)


def other_program(test, name):
    """A program of Debian's; without it the test is skipped, but not in CI."""
    path = shutil.which(name)
    if not path and os.environ.get("CI") == "true":
        test.fail("%s is not installed" % name)
    if not path:
        print("SKIPPED: %s is not installed" % name)
        test.skipTest(name)
    return path


def skip_under_asan(test):
    """Skips a test of how much memory the command takes."""
    with open(COMMAND, "rb") as file:
        if b"__asan_init" in file.read():
            test.skipTest("the address sanitizer keeps what was freed")


def npm_package(test, part, file):
    """A file of npm's packages: of those in tests/PART/npm/package-lock.json, fetched once into build/npm-PART."""
    npm, keep = other_program(test, "npm"), os.path.join(SOURCE, "build", "npm-" + part)
    file = os.path.join("node_modules", file)
    if not os.path.exists(os.path.join(keep, file)):
        os.makedirs(os.path.dirname(keep), exist_ok=True)
        folder = tempfile.mkdtemp(prefix="npm-", dir=os.path.dirname(keep))
        test.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(os.path.join(SOURCE, "tests", part, "npm", name), folder)
        got = subprocess.run([npm, "ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"],
                             cwd=folder, capture_output=True, text=True, timeout=180, check=False)
        if got.returncode != 0:
            print("SKIPPED: npm cannot fetch packages: " + " ".join(got.stderr.split())[:300])
            test.skipTest("npm")
        if not os.path.exists(os.path.join(keep, file)):
            shutil.rmtree(keep, ignore_errors=True)  # what is there without it was left half way
            os.rename(folder, keep)
    return os.path.join(keep, file)


class CommandTest(unittest.TestCase):
    """A test in a directory of its own, with checks of exit codes."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="portolan-cli-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = os.path.join(self.folder, "w.db")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def done(self, *arguments, **more):
        """The command succeeds; returns what it printed."""
        result = run(*arguments, **more)
        self.assertEqual(result.returncode, 0, (arguments, result.stdout, result.stderr))
        return result.stdout

    def failed(self, code, pattern, *arguments, **more):
        """The command fails with this code, and stderr matches."""
        result = run(*arguments, **more)
        self.assertEqual(result.returncode, code, (arguments, result.stdout, result.stderr))
        self.assertRegex(result.stderr, pattern)
        return result

    def json(self, *arguments):
        return json.loads(self.done(*arguments))

    def import_builtin(self):
        """The file gets the embedded content; a new file is a copy of one that is made once."""
        global _builtin
        if os.path.exists(self.file):
            self.done("import", self.file, "--builtin")
            return
        if not _builtin:
            _builtin = tempfile.TemporaryDirectory(prefix="portolan-cli-")
            self.done("import", os.path.join(_builtin.name, "w.db"), "--builtin")
        shutil.copyfile(os.path.join(_builtin.name, "w.db"), self.file)

    def make_world(self, name="w", seed=7):
        self.import_builtin()
        self.done("new", self.file, name, "--seed", seed)


def png_chunks(path):
    """(kind, body) of each chunk of a PNG; every CRC is checked."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        crc, = struct.unpack(">I", data[at + 8 + size:at + 12 + size])
        assert zlib.crc32(kind + body) == crc, kind
        yield kind, body
        at += 12 + size


def png_texts(path):
    """What a PNG says of itself: keys and texts of tEXt and of iTXt that is not compressed."""
    texts = {}
    for kind, body in png_chunks(path):
        if kind == b"tEXt":
            key, text = body.split(b"\0", 1)
            texts[key.decode("latin-1")] = text.decode("latin-1")
        elif kind == b"iTXt":
            key, rest = body.split(b"\0", 1)
            assert rest[0] == 0
            texts[key.decode("latin-1")] = rest[2:].split(b"\0", 2)[2].decode("utf-8")
    return texts


def read_png(path):
    """Width, height and rows of (r, g, b) of an 8-bit PNG, indexed or not; every CRC is checked."""
    parts, packed = {}, b""
    for kind, body in png_chunks(path):
        packed += body if kind == b"IDAT" else b""
        parts[kind] = body
    width, height, depth, colour = struct.unpack(">IIBB", parts[b"IHDR"][:10])
    assert (depth, colour) in ((8, 3), (8, 2))
    colours = parts.get(b"PLTE", b"")
    palette = [tuple(colours[i:i + 3]) for i in range(0, len(colours), 3)]
    raw, rows = zlib.decompress(packed), []
    size = 1 + width * (3 if colour == 2 else 1)
    assert len(raw) == size * height
    for y in range(height):
        line = raw[y * size:(y + 1) * size]
        assert line[0] == 0  # no filter
        rows.append([palette[i] for i in line[1:]] if colour == 3 else
                    [tuple(line[i:i + 3]) for i in range(1, size, 3)])
    return width, height, rows
