"""No file of anyone else's is overwritten, emptied or removed: under every command, at every
name that it writes or could write, lies something of somebody's.

PORTOLAN_SOAK_FILES=all tries everything everywhere; else each command meets each name with two
kinds of things, others at each, so that over all commands every pair is tried several times.
With short counts (PORTOLAN_QUICK) a third of these pairs has its turn.
"""

import concurrent.futures
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

from support import COMMAND, SOURCE, CommandTest, by_turns, run

sys.path.insert(0, os.path.join(SOURCE, "tests", "files"))
import make  # noqa: E402 pylint: disable=wrong-import-position,import-error

THOROUGH = "PORTOLAN_SOAK_FILES" in os.environ
TEXT = b"notes of somebody, which nobody may touch\n" * 3

READS, WRITES, CREATES, NEITHER = "reads", "writes", "creates", "neither"

# Each command that a file is given to: what it does to it, and its words.
COMMANDS = {
    "import": (CREATES, "import w.db content"),
    "new": (WRITES, "new w.db another --seed 5"),
    "generate": (WRITES, "generate w.db --chunk 3,3 --stop-after lakes -q"),
    "regenerate": (WRITES, "regenerate w.db --chunk 0,0 -q"),
    "edit": (WRITES, "edit w.db 90,90,9 --set forest -q"),
    "import-tiled": (WRITES, "import-tiled w.db own.tmx -q"),
    "note": (WRITES, "note w.db 90,90 --text den -q"),
    "marks": (WRITES, "marks w.db --add --rect 0,0,9,9 -q"),
    "status": (READS, "status w.db"),
    "show": (READS, "show w.db --omt 90,90"),
    "local": (WRITES, "local w.db 90,90"),
    "dump": (READS, "dump w.db --chunk 0,0"),
    "diff": (READS, "diff w.db other.db --level 0 -o out.csv"),
    "digest": (READS, "digest w.db --local --omt 3,3,4,4"),
    "query": (READS, "query w.db 'SELECT count(*) FROM chunk'"),
    "serve": (READS, "serve w.db --seconds 0 -q"),
    "view": (READS, "view w.db"),
    "render": (READS, "render w.db -o out.png"),
    "verify": (READS, "verify w.db"),
    "repair": (WRITES, "repair w.db -q"),
    "backup": (READS, "backup w.db copy.db -q"),
    "export": (READS, "export w.db saved --format dda-save -q"),
    "import-save": (WRITES, "import-save w.db maps -q"),
    "journal": (WRITES, "journal w.db truncate"),
    "migrate": (WRITES, "migrate w.db"),
    "why": (READS, "why w.db relay_mast"),
    "replay": (READS, "replay w.db 0,0:%(grown)s --steps"),
    "try": (READS, "try w.db relay_mast --times 2"),
    "sweep": (WRITES, "sweep w.db swept --seeds 1 -q"),
    "stats": (READS, "stats w.db"),
    "lint": (READS, "lint w.db"),
    "coverage": (READS, "coverage w.db --kind building --overmaps 2 -q"),
    "loot": (READS, "loot w.db --in cabin"),
    "mapgen": (READS, "mapgen cabin w.db"),
    "compare": (READS, "compare w.db other.db -o out.txt"),
    "index": (WRITES, "index w.db -q"),
    "find": (READS, "find w.db --where 'SELECT x, y FROM v_city' --seeds 1 --first 1 -q"),
    "change": (NEITHER, "change --before content --after content --overmaps 2"),
    "completion": (NEITHER, "completion bash"),
    "shoals": (NEITHER, "shoals"),
    "lsp": (NEITHER, "lsp --builtin"),
    "help": (NEITHER, "help generate"),
}

TWO_INPUTS = ("compare", "diff")
CONTENT_TOOLS = ("lint", "coverage", "loot", "mapgen")  # exit code 1 is for what they find
# What else a command writes, by the words, the name, and what it does with a regular file there.
REPLACES, REFUSES = "replaces", "refuses"
OUTPUTS = [
    ("render w.db -o out.png", "out.png", REPLACES),
    ("render w.db -o out.svg", "out.svg", REPLACES),
    ("render w.db -o out.png --animate", "out.png", REPLACES),
    ("render w.db -o out.png --world-file", "out.pgw", REPLACES),
    ("local w.db 91,91 -o out.png", "out.png", REPLACES),
    ("compare w.db other.db -o out.txt", "out.txt", REPLACES),
    ("diff w.db other.db --level 0 -o out.csv", "out.csv", REPLACES),
    ("diff w.db other.db --level 0 -q --picture out.png", "out.png", REPLACES),
    ("lint w.db --format sarif -o out.sarif", "out.sarif", REPLACES),
    ("lint w.db -q --write-baseline out.json", "out.json", REPLACES),
    ("mapgen cabin w.db --png out.png", "out.png", REPLACES),
    ("mapgen cabin w.db --check -q --format sarif -o out.sarif", "out.sarif", REPLACES),
    ("coverage w.db --kind building --overmaps 2 --format sarif -o out.sarif", "out.sarif", REPLACES),
    ("coverage w.db --kind building --overmaps 2 -q --write-baseline out.json", "out.json", REPLACES),
    ("coverage w.db --kind building --overmaps 2 -q --format csv -o out.csv", "out.csv", REPLACES),
    ("loot w.db --in cabin --format csv -o out.csv", "out.csv", REPLACES),
    ("loot w.db --in cabin --format junit -o out.xml", "out.xml", REPLACES),
    ("loot w.db --in cabin -q --write-baseline out.json", "out.json", REPLACES),
    ("change --before content --after content --overmaps 2 -q -o out.txt", "out.txt", REPLACES),
    ("change --before content --after content --overmaps 2 -q --html out.html", "out.html", REPLACES),
    ("change --before content --after content --overmaps 2 -q --markdown out.md", "out.md", REPLACES),
    ("change --before content --after content --overmaps 2 -q --write-baseline out.json", "out.json", REPLACES),
    ("compare w.db other.db --format junit --output=out.xml", "out.xml", REPLACES),
    ("backup w.db copy.db -q", "copy.db", REFUSES),
    ("backup w.db copy.db -q --replace", "copy.db", REPLACES),
    ("migrate old.db --backup copy.db -q", "copy.db", REFUSES),
    ("export w.db saved --format dda-save -q", "saved/o.0.0", REFUSES),
    ("export w.db out.geojson --format geojson -q", "out.geojson", REFUSES),
    ("export w.db out.gpkg --format gpkg -q", "out.gpkg", REFUSES),
    ("export w.db out.pmtiles --format pmtiles --scale 1 -q", "out.pmtiles", REFUSES),
    ("export w.db out.mbtiles --format mbtiles --scale 1 -q", "out.mbtiles", REFUSES),
    ("export w.db out.tmx --format tiled --level 0 -q", "out.tmx", REFUSES),
    ("export w.db out.html --format site --level 0 -q", "out.html", REFUSES),
    ("export w.db site --format site --level 0 -q", "site/data/level0.pmtiles", REFUSES),
    ("export w.db site --format site --level 0 -q --force", "site/index.html", REPLACES),
    ("export w.db out.geojson --format geojson -q --force", "out.geojson", REPLACES),
    ("export w.db saved --format dda-save -q --force", "saved/o.0.0", REPLACES),
]
CHARTS = ("stats w.db --charts charts -q", "charts/departures.svg", REPLACES)
FOLDERS = [("export w.db saved --format dda-save -q", "saved")]
CHARTS_FOLDER = ("stats w.db --charts charts -q", "charts")

BESIDE = ["w.db-journal", "w.db-wal", "w.db-shm", "w.db-lock"]
# Names of 0.1.0's, and what may be guessed: nobody's business any more.
LEFT_ALONE = [
    ("backup w.db copy.db -q", "copy.db-partial"),
    ("export w.db saved --format dda-save -q", "saved/.o.0.0.tmp"),
    ("render w.db -o out.png", "out.png.tmp"),
    ("render w.db -o out.png", "out.png.portolan-000000000000.tmp"),
    ("generate w.db --chunk 3,3 --stop-after lakes -q", "w.db-lock.portolan-000000000000.tmp"),
    ("import w.db content", "w.db-partial"),
]


def put(kind, folder, name):
    """Puts a thing of that kind there."""
    path, theirs = os.path.join(folder, name), os.path.join(folder, "theirs/notes")
    if kind in ("file", "read-only"):
        with open(path, "wb") as file:
            file.write(TEXT)
        if kind == "read-only":
            os.chmod(path, 0o444)
    elif kind == "empty":
        open(path, "wb").close()
    elif kind == "three bytes":
        with open(path, "wb") as file:
            file.write(b"hi\n")
    elif kind == "zeros":
        with open(path, "wb") as file:
            file.write(bytes(65536))
    elif kind == "link":
        os.link(theirs, path)
    elif kind == "link to the world":
        os.link(os.path.join(folder, "w.db"), path)
    elif kind == "link to an input":
        os.link(os.path.join(folder, "content/pack.json"), path)
    elif kind == "link to a world":
        os.link(os.path.join(folder, "other.db"), path)
    elif kind == "symlink":
        os.symlink(theirs, path)
    elif kind == "dangling symlink":
        os.symlink(os.path.join(folder, "theirs/none"), path)
    elif kind == "symlink to a folder":
        os.symlink(os.path.join(folder, "theirs"), path)
    elif kind == "symlink to the world":
        os.symlink("w.db" if "/" not in name else "../w.db", path)
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        os.mkdir(path)
        with open(os.path.join(path, "inside"), "wb") as file:
            file.write(TEXT)
    else:
        raise ValueError(kind)


KINDS = ["file", "read-only", "empty", "three bytes", "zeros", "link", "link to the world",
         "link to an input", "link to a world", "symlink", "dangling symlink",
         "symlink to a folder", "symlink to the world", "fifo", "folder"]


def look(path):
    """What may not change about a file, and what it holds."""
    try:
        info = os.lstat(path)
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(info.st_mode):
        content = os.readlink(path)
    elif stat.S_ISDIR(info.st_mode):
        content = sorted(os.listdir(path))
    elif stat.S_ISREG(info.st_mode):
        with open(path, "rb") as file:
            content = file.read()
    else:
        content = None
    return (info.st_ino, info.st_mode, info.st_nlink, info.st_mtime_ns, content)


def look_at_all(folder):
    """Of every file of the folder, by its path in it."""
    found = {}
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(place, name)
            found[os.path.relpath(path, folder)] = look(path)
    return found


class Scene:
    """The files that every trial gets a copy of."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="portolan-files-")
        self.make()

    def path(self, name):
        return os.path.join(self.folder, name)

    def make(self):
        os.makedirs(self.path("theirs"))
        with open(self.path("theirs/notes"), "wb") as file:
            file.write(TEXT)
        for name, seed in (("w.db", 1), ("other.db", 2)):
            for words in (["import", name, "--builtin"], ["new", name, "home", "--seed", seed],
                          ["generate", name, "--rect", "0,0,1,0", "-q"], ["local", name, "91,91"]):
                done = run(*words, cwd=self.folder)
                assert done.returncode == 0, done.stderr
            os.remove(self.path(name + "-journal"))
        run("export", "w.db", "maps", "--format", "dda-save", "--rect", "0,0,0,0", cwd=self.folder)
        run("export", "w.db", "own.tmx", "--format", "tiled", "--rect", "0,0,0,0", "--level", "0", cwd=self.folder)
        os.rename(self.path("maps/o.0.0"), self.path("maps/o.7.7"))
        os.makedirs(self.path("content"))
        shutil.copy(os.path.join(SOURCE, "tests/files/content/small.json"),
                    self.path("content/pack.json"))
        shutil.copyfile(self.path("w.db"), self.path("old.db"))
        make.make_older(self.path("old.db"))
        sql = "SELECT special_number FROM piece WHERE chunk_x = 0 AND chunk_y = 0 LIMIT 1"
        self.grown = run("query", "w.db", sql, "--format", "csv", cwd=self.folder).stdout.split()[-1]

    def copy(self):
        folder = tempfile.mkdtemp(prefix="portolan-files-")
        os.rmdir(folder)
        shutil.copytree(self.folder, folder)
        return folder


class Trial:
    """One command in a copy of the scene, with something at a name."""

    def __init__(self, scene, words, kind, name):
        self.scene, self.words, self.kind, self.name = scene, words, kind, name
        self.problems = []

    def run(self, expected):
        """expected: "done", "refused", or REPLACES. Returns what went wrong."""
        self.folder = self.scene.copy()
        try:
            if self.name == "w.db" and self.kind != "as it is":
                os.remove(os.path.join(self.folder, self.name))
            os.makedirs(os.path.join(self.folder, os.path.dirname(self.name)), exist_ok=True)
            if self.kind != "as it is":
                put(self.kind, self.folder, self.name)
            self.before = look_at_all(self.folder)
            self.call(expected)
            self.after = look_at_all(self.folder)
            self.compare(expected)
            self.check_world(expected)
        finally:
            shutil.rmtree(self.folder)
        return ["%s, %s at %s: %s" % (self.words, self.kind, self.name, text)
                for text in self.problems]

    def call(self, expected):
        command = "exec " + COMMAND + " " + self.words % {"grown": self.scene.grown}
        try:
            done = subprocess.run(["sh", "-c", command], cwd=self.folder, capture_output=True,
                                  stdin=subprocess.DEVNULL, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            self.problems.append("hangs")
            return
        findings = done.stdout if self.words.startswith("lint") else b""
        message = (findings + done.stderr).decode(errors="replace")
        refused = expected == "refused"
        misused = self.words.startswith("import content/") or \
            (self.words.startswith("import w.db") and self.name == "w.db" and "folder" in self.kind)  # content in the place of FILE
        wanted = 2 if misused else 1 if refused else \
            2 if self.words == "view w.db" else 1 if self.words == "lsp --builtin" else 0  # no terminal, no editor
        unread = refused and self.words.startswith(CONTENT_TOOLS) and "or can't be read" in message
        if done.returncode != (2 if unread else wanted):
            self.problems.append("exit code %d, not %d: %s" % (done.returncode, wanted, message))
        named = os.path.basename(self.name) in message or \
            (self.kind == "link to the world" and "w.db has 2 names" in message)
        if refused and not named:
            self.problems.append("the message does not name it: " + message)
        if refused and re.search("disk full|bug in Portolan", message):
            self.problems.append("the message is beside the point: " + message)

    def compare(self, expected):
        """Everything that was there before is as it was, but for the world and what is replaced."""
        own = {"w.db"} if self.kind != "link to the world" or expected != "refused" else set()
        if self.words.startswith("migrate old.db"):
            own.add("old.db")
        if self.name in BESIDE and self.kind == "empty" and expected == "done":
            own.add(self.name)  # SQLite leaves an empty journal itself
        for name, was in self.before.items():
            now = self.after.get(name)
            if name == self.name and expected == REPLACES:
                if now is None or not stat.S_ISREG(now[1]) or now[0] == was[0]:
                    self.problems.append("%s was not replaced by a new file" % name)
            elif name in own and expected != "refused":
                continue
            elif now is None:
                self.problems.append("%s is gone" % name)
            elif now != was and not self.only_lost_a_name(was, now, expected):
                if stat.S_ISDIR(was[1]):
                    missing = set(was[4]) - set(now[4])
                    if missing:
                        self.problems.append("%s lost %s" % (name, missing))
                else:
                    self.problems.append("%s was changed: %r, now %r" % (
                        name, was[:4] + (was[4] and was[4][:30],), now[:4] + (now[4] and now[4][:30],)))
        for name in self.after:
            if ".portolan-" in name and name not in self.before:
                self.problems.append("%s is left" % name)

    @staticmethod
    def only_lost_a_name(was, now, expected):
        """A hard link's name was replaced: its file is as it was, with one name less."""
        return expected == REPLACES and was[:2] == now[:2] and was[3:] == now[3:] and \
            now[2] == was[2] - 1

    def check_world(self, expected):
        if self.name != "w.db" and self.before["w.db"][4] != self.after["w.db"][4]:
            if expected == "refused":
                self.problems.append("the world was changed")
            for name in BESIDE:
                path = os.path.join(self.folder, name)
                if os.path.lexists(path) and not os.path.isdir(path):
                    os.remove(path)
            if run("verify", os.path.join(self.folder, "w.db")).returncode != 0:
                self.problems.append("the world is damaged")


def kinds_for(number, but=()):
    """All kinds, or those that are this one's turn."""
    kinds = [kind for kind in KINDS if kind not in but]
    return kinds if THOROUGH else [kinds[(2 * number) % len(kinds)],
                                   kinds[(2 * number + 1) % len(kinds)]]


class Files(unittest.TestCase):
    trials = 0

    @classmethod
    def setUpClass(cls):
        cls.scene = Scene()
        cls.addClassCleanup(shutil.rmtree, cls.scene.folder)

    @classmethod
    def tearDownClass(cls):
        print("%d runs of %d commands" % (Files.trials, len(COMMANDS)))

    def check(self, trials):
        """(words, kind, name, expected)..., several at once: what is refused waits a little."""
        self.assertGreater(len(trials), 0)
        if len(trials) > 20:
            trials = by_turns(trials, 3, "commands with things in their way")
        Files.trials += len(trials)
        def go(trial):
            words, kind, name, expected = trial
            return Trial(self.scene, words, kind, name).run(expected)
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            problems = [text for found in pool.map(go, trials) for text in found]
        self.assertEqual(problems, [], "\n" + "\n".join(problems))

    def test_every_command_is_here(self):
        found = re.findall(r"(?m)^  ([a-z-]+)  +[A-Z].*\.$", run("--help").stdout)
        self.assertGreater(len(found), 20)
        self.assertEqual(sorted(found), sorted(COMMANDS))
        names = {words.split()[0] for words, _, _ in OUTPUTS + [CHARTS]}
        for name in found:
            if re.search(r" (--?output|--charts|--backup|-o)\b|, TO\b|FILE TO|FILE DIR",
                         run(name, "--help").stdout) and name not in ("import-save", "import", "help"):
                self.assertIn(name, names, "its outputs are not tried")

    def test_they_work(self):
        self.check([(words, "as it is", "w.db", "done") for _, words in COMMANDS.values()])

    def test_beside_the_world(self):
        trials = []
        for number, (mode, words) in enumerate(COMMANDS.values()):
            for place, name in enumerate(BESIDE):
                for kind in kinds_for(4 * number + place):
                    ignored = mode == NEITHER or (mode == READS and name == "w.db-lock")
                    own = kind == "empty" and name != "w.db-lock"
                    trials.append((words, kind, name, "done" if ignored or own else "refused"))
        self.check(trials)

    def test_beside_a_world_that_is_not_there(self):
        """A journal of a database that was moved away, or of nobody knows whom."""
        trials = [("import none.db content", kind, "none.db" + tail, "refused")
                  for tail in ("-journal", "-wal", "-shm", "-lock")
                  for kind in (KINDS if THOROUGH else ("file", "zeros", "symlink", "fifo"))
                  if kind != "empty" or tail == "-lock"]
        self.check(trials)

    def test_instead_of_the_world(self):
        trials = []
        for number, (mode, words) in enumerate(COMMANDS.values()):
            if mode == NEITHER:
                continue
            for kind in kinds_for(number, ("link to the world", "symlink to the world")):
                if (kind == "empty" and mode == CREATES) or \
                        (kind == "link to a world" and mode == READS) or \
                        (kind == "link to an input" and words.startswith("mapgen")):  # JSON is its input, too
                    trials.append((words, kind, "w.db", "done"))
                elif kind == "link to an input" and words.startswith(CONTENT_TOOLS):
                    continue  # a content without what is asked for
                elif kind != "link to a world" or not words.startswith(TWO_INPUTS):
                    trials.append((words, kind, "w.db", "refused"))
        self.check(trials)

    def outcome(self, rule, kind):
        if kind in ("file", "empty", "three bytes", "zeros", "link", "link to an input"):
            return REPLACES if rule == REPLACES else "refused"
        return "refused"

    def check_output(self, outputs):
        trials = []
        for number, (words, name, rule) in enumerate(outputs):
            for kind in (KINDS if THOROUGH else kinds_for(number) + kinds_for(number + 3) +
                         ["file", "link to the world", "symlink", "fifo"]):
                expected = self.outcome(rule, kind)
                if "backup" in words and "--replace" in words and \
                        kind in ("read-only", "link to a world"):
                    expected = REPLACES  # the user says so
                if words.startswith(TWO_INPUTS) and kind == "link to a world":
                    expected = "refused"  # an input
                trials.append((words, kind, name, expected))
        self.check(sorted(set(trials)))

    def test_outputs(self):
        self.check_output(OUTPUTS)

    def test_charts(self):
        if not shutil.which("gnuplot"):
            self.assertNotEqual(os.environ.get("CI"), "true", "gnuplot is missing")
            self.skipTest("gnuplot is not installed")
        self.check_output([CHARTS])
        self.check_folder(*CHARTS_FOLDER)

    def check_folder(self, words, name):
        """It is made, or used as it is; a link to a folder is its owner's business."""
        self.check([(words, kind, name,
                     "done" if kind in ("folder", "symlink to a folder") else "refused")
                    for kind in KINDS])

    def test_folders(self):
        for words, name in FOLDERS:
            self.check_folder(words, name)

    def test_names_that_nobody_gave(self):
        trials = [(words, kind, name, "done") for words, name in LEFT_ALONE
                  for kind in (KINDS if THOROUGH else ("file", "link", "symlink", "fifo", "folder"))
                  if kind != "link to the world" or words.split()[0] in ("backup", "render", "export")]
        self.check(trials)

    def test_names_of_a_database(self):
        """As an output's name they are refused, whether something is there or not."""
        trials = []
        for name in BESIDE + ["other.db-wal"]:
            for words in ("compare w.db other.db -o %s", "backup w.db %s",
                          "backup w.db %s --replace"):
                trials.append((words % name, "as it is", name, "refused"))
        self.check(trials)

    def test_inputs(self):
        """Among what is read lies the world file, by that name or another."""
        self.check([
            ("import w.db content", "link to the world", "content/world.json", "refused"),
            ("import w.db content/world.json", "link to the world", "content/world.json", "refused"),
            ("import w.db content/world.json", "symlink to the world", "content/world.json",
             "refused"),
            ("import content/empty.json content", "empty", "content/empty.json", "refused"),
            ("import content/empty.json content/empty.json", "empty", "content/empty.json",
             "refused"),
            ("import content/new.json content --no-warnings", "as it is", "content/new.json",
             "refused"),
            ("import-save w.db maps", "link to the world", "maps/o.1.1", "refused"),
            ("import-save w.db maps", "symlink to the world", "maps/o.1.1", "refused"),
            ("import-save w.db maps", "fifo", "maps/o.1.1", "refused"),
            ("import-tiled w.db other.tmx", "link to the world", "other.tmx", "refused"),
            ("import-tiled w.db other.tmx", "symlink to the world", "other.tmx", "refused"),
            ("import-tiled w.db other.tmx", "fifo", "other.tmx", "refused"),
        ])


class Found(CommandTest):
    """As it was found in 0.1.0."""

    def test_a_world_that_is_called_lock(self):
        self.make_world()
        other = self.file + "-lock"
        self.done("import", other, "--builtin")
        before = self.done("query", other, "SELECT * FROM content")
        self.failed(1, r"w\.db-lock is where the lock file would be", "generate", self.file,
                    "--chunk", "5,5")
        self.assertEqual(self.done("query", other, "SELECT * FROM content"), before)
        os.remove(other)
        os.link(self.file, other)
        self.failed(1, "w.db-lock.*more than one name", "generate", self.file, "--chunk", "5,5")
        self.done("verify", self.file)

    def test_a_backup_beside_the_world(self):
        self.make_world()
        os.link(self.file, self.path("c.db-partial"))
        self.done("backup", self.file, self.path("c.db"))
        self.done("verify", self.file)
        self.done("verify", self.path("c.db"))
        self.assertFalse([name for name in os.listdir(self.folder) if ".portolan-" in name])

    def names(self):
        return sorted(name for name in os.listdir(self.folder) if not name.endswith("-journal"))

    def test_names_that_look_like_uris(self):
        """SQLite of Debian takes file:... for a URI."""
        here = {"cwd": self.folder}
        for name in ("file:w.db?vfs=unix-none", "file:w.db", ":memory:x", "file::memory:"):
            self.done("import", name, "--builtin", "--no-warnings", **here)
            self.done("new", name, "home", "--seed", "1", **here)
            self.done("generate", name, "--chunk", "0,0", "-q", **here)
            self.assertEqual(self.names(), [name])
            self.done("backup", name, "file:x?mode=memory", "-q", **here)
            self.done("verify", "file:x?mode=memory", **here)
            self.done("query", name, "SELECT count(*) FROM chunk", **here)
            self.done("find", name, "--where", "SELECT x, y FROM v_city", "--seeds", "1", "-q", **here)
            self.assertEqual(self.names(), sorted([name, "file:x?mode=memory"]))
            for left in os.listdir(self.folder):
                os.remove(self.path(left))

    def test_memory(self):
        """A world that would be gone at once is not made; a file of that name may be."""
        here = {"cwd": self.folder}
        self.failed(2, "is gone when the command ends", "import", ":memory:", "--builtin", **here)
        self.failed(1, "no such file", "status", ":memory:", **here)
        self.assertEqual(self.names(), [])
        self.done("import", "./:memory:", "--builtin", **here)
        self.assertEqual(self.names(), [":memory:"])
        self.done("status", ":memory:", **here)

    def test_a_world_with_two_names(self):
        """Each name would have a journal of its own; reading harms nobody."""
        self.make_world()
        second = self.path("second.db")
        os.link(self.file, second)
        for name in (self.file, second):
            self.failed(1, "has 2 names", "generate", name, "--chunk", "0,0")
            self.done("status", name)
        os.remove(second)
        self.done("generate", self.file, "--chunk", "0,0", "-q")

    def test_a_database_of_another_program(self):
        """Not even what it left unfinished is finished by us."""
        for number, journal in enumerate(("DELETE", "WAL")):
            path = self.path("theirs-%d.db" % number)
            script = ("import os, sqlite3; db = sqlite3.connect(%r, isolation_level=None);"
                      "db.execute('PRAGMA journal_mode = %s'); db.execute('PRAGMA cache_size = 4');"
                      "db.execute('CREATE TABLE t (x)'); db.execute('BEGIN');"
                      "[db.execute('INSERT INTO t VALUES (zeroblob(5000))') for i in range(50)];"
                      "os._exit(0)" % (path, journal))
            subprocess.run(["python3", "-c", script], check=True)
            before = {name: look(self.path(name)) for name in os.listdir(self.folder)}
            self.assertTrue([name for name in before if name.endswith("-" + ("wal" if number else
                                                                            "journal"))])
            for words in (["status"], ["generate", "--chunk", "0,0"], ["import", "--builtin"],
                          ["repair"], ["backup", self.path("copy.db")]):
                self.failed(1, "not a world file", words[0], path, *words[1:])
            after = {name: look(self.path(name)) for name in os.listdir(self.folder)}
            if number:  # every reader of a WAL writes its -shm
                before.pop(os.path.basename(path) + "-shm")
                after.pop(os.path.basename(path) + "-shm")
            self.assertEqual(before, after)
            for name in os.listdir(self.folder):
                os.remove(self.path(name))

    def test_a_refused_import_leaves_nothing(self):
        bad = self.write("bad.json", '[{"type": "overmap_terrain", "id": 7}]')
        for leftover in (False, True):
            if leftover:
                self.write("w.db-journal", "")
            before = look_at_all(self.folder)
            self.failed(1, "bad.json", "import", self.file, bad)
            self.assertEqual(look_at_all(self.folder).keys(), before.keys())

    def test_permissions_stay(self):
        self.make_world()
        self.done("generate", self.file, "--chunk", "0,0", "--stop-after", "lakes", "-q")
        out = self.write("out.png", "old")
        os.chmod(out, 0o640)
        self.done("render", self.file, "-o", out)
        self.assertEqual(stat.S_IMODE(os.stat(out).st_mode), 0o640)
        os.chmod(out, 0o444)
        self.failed(1, "out.png is write-protected", "render", self.file, "-o", out)


if __name__ == "__main__":
    unittest.main()
