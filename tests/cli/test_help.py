"""--help, and exit codes: every line fits 80 columns, and every example runs as it stands (with short
counts, PORTOLAN_QUICK, those of half of the commands, by turns).
(Completion: test_completion.py; man pages: test_manual.py.)"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from support import COMMAND, COMMANDS, SOURCE, WITHOUT_FILE, CommandTest, by_turns, run

MOD = """[{"type": "overmap_terrain", "id": "mine_hut", "name": "hut", "sym": "h", "color": "red"},
{"type": "overmap_special", "id": "mine hut", "occurrences": [0, 2], "locations": ["wilderness"],
 "overmaps": [{"point": [0, 0, 0], "overmap": "mine_hut_north"}]}]"""


def examples(command):
    """The lines of a command's examples."""
    text = run(command, "--help").stdout
    found = re.search(r"\nExamples:\n((?:  .*\n)+)", text)
    return [line.strip() for line in found.group(1).splitlines()] if found else []


class Width(CommandTest):
    def test_80_columns(self):
        for words in [["--help"]] + [[name, "--help"] for name in COMMANDS + WITHOUT_FILE]:
            text = self.done(*words)
            for line in text.split("\n"):
                self.assertLessEqual(len(line), 80, (words, line))

    def test_one_line_for_each_command(self):
        text = self.done("help")
        for name in COMMANDS + WITHOUT_FILE + ["help"]:
            self.assertRegex(text, r"(?m)^  %s +[A-Z].*\.$" % name)


class Examples(unittest.TestCase):
    """Each runs in bash, in a folder of its own that holds what the examples name."""

    folder = ""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="portolan-examples-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        for name, seed in (("w.db", 1), ("old.db", 2)):
            path = os.path.join(cls.folder, name)
            for words in (["import", path, "--builtin"], ["new", path, "home", "--seed", seed],
                          ["generate", path, "--radius", 1, "--quiet"]):
                done = run(*words)
                assert done.returncode == 0, done.stderr
        done = run("sweep", os.path.join(cls.folder, "w.db"), "--seeds", "1..3", "--quiet")
        assert done.returncode == 0, done.stderr
        for mods in ("mods", "cataclysm/data/mods"):
            os.makedirs(os.path.join(cls.folder, mods, "mine"))
            with open(os.path.join(cls.folder, mods, "mine", "a.json"), "w",
                      encoding="utf-8") as file:
                file.write(MOD)
        shutil.copytree(os.path.join(SOURCE, "data"), os.path.join(cls.folder, "cataclysm/data/json"),
                        ignore=shutil.ignore_patterns("*.png", "*.md"))
        cls.make_game(os.path.join(cls.folder, "cataclysm"))

    @staticmethod
    def make_game(folder):
        """What tells that it is the game, two mods, and a save that has one of them."""
        files = {"data/core/external_options.json": "[]",
                 "save/Dovenby/mods.json": '["magiclysm"]'}
        for name in ("magiclysm", "railroads"):
            files["data/mods/%s/modinfo.json" % name] = json.dumps(
                [{"type": "MOD_INFO", "id": name, "name": name, "dependencies": []}])
        for name, text in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii") as file:
                file.write(text)

    def bash(self, line, folder):
        path = os.path.dirname(os.path.abspath(COMMAND)) + ":" + os.environ["PATH"]
        return subprocess.run(["bash", "-euo", "pipefail", "-c", line], cwd=folder,
                              capture_output=True, text=True, timeout=300, check=False,
                              env=dict(os.environ, PATH=path, HOME=folder))

    def prepare(self, command, folder):
        if command == "change":
            self.bash("mkdir old; cp -r mods/mine cataclysm old", folder)

        if command == "import-save":
            self.bash("portolan export w.db maps --format dda-save; "
                      "portolan new w.db played --seed 3", folder)

        if command == "import-tiled":
            self.bash("portolan export w.db home.tmx --format tiled --levels 0..0", folder)

        if command == "local":  # has a sea with tides, too
            self.bash("portolan import sea.db --builtin; "
                      "portolan new sea.db home --seed 7 --region coast", folder)

        if command == "export":
            save = os.path.join(folder, "cataclysm", "save", "Home")
            os.makedirs(save)
            for name, text in (("worldoptions.json", "[]"), ("mods.json", '["portolan"]'),
                               ("master.gsav", "# version 33\n{}"), ("#Sm8=.sav", "{}")):
                with open(os.path.join(save, name), "w", encoding="ascii") as file:
                    file.write(text)
                os.utime(os.path.join(save, name), (1e9, 1e9))
            self.bash("portolan marks w.db --world home --viewer Ann --add --rect 0,0,9,9", folder)

    def test_all(self):
        for command in by_turns(COMMANDS + WITHOUT_FILE, 2, "commands' examples"):
            lines = examples(command)
            self.assertGreater(len(lines), 0, command)
            with tempfile.TemporaryDirectory(prefix="portolan-example-") as folder:
                shutil.copytree(self.folder, folder, dirs_exist_ok=True)
                self.prepare(command, folder)
                for line in lines:
                    with self.subTest(line):
                        self.assertIn("portolan " + command, line)
                        done = self.bash(line, folder)
                        if "was built without its server" in done.stderr: # PORTOLAN_SERVE=OFF
                            self.assertEqual((command, done.returncode), ("serve", 1))
                        elif command == "view":  # tests/view has a terminal
                            self.assertRegex(done.stderr, "must be a terminal")
                            self.assertEqual(done.returncode, 2)
                        elif command == "lsp":  # tests/lsp has an editor
                            self.assertRegex(done.stderr, "the input ended")
                            self.assertEqual(done.returncode, 1)
                        else:
                            self.assertEqual(done.returncode, 0, done.stderr)


class Help(CommandTest):
    def test_licences(self):
        """There is a notice of each library that the command is linked with, of what is embedded, and no other."""
        text = self.done("--licenses")
        notices = re.findall(r"(?m)^---- (\w+) ----$", text)
        self.assertEqual(notices[0], "portolan")
        self.assertEqual(len(set(notices)), len(notices))
        self.assertLessEqual(max(map(len, text.split("\n"))), 100)
        for name in notices[1:]:
            with open(os.path.join(SOURCE, "tools/licences", name + ".txt"), encoding="ascii") as file:
                self.assertIn("\n---- %s ----\n\n%s" % (name, file.read()), text)
        with open(os.path.join(SOURCE, "LICENSE"), encoding="ascii") as file:
            self.assertIn(file.read(), text)
        if not shutil.which("readelf"):
            self.skipTest("SKIPPED: no readelf: what the command is linked with is not known")
        needs = subprocess.run(["readelf", "-d", COMMAND], capture_output=True, text=True, check=True).stdout
        linked = set(re.findall(r"NEEDED.*\[lib([a-z]+[a-z_]*)", needs)) - {"c", "m", "gcc_s", "pthread", "asan",
                                                                            "ubsan", "tsan", "lsan"}
        called = {"z": "zlib", "gslcblas": "gsl", "ncursesw": "ncurses", "tinfo": "ncurses"}
        linked = {called.get(name, name) for name in linked}
        linked |= {"zlib"} if "png" in linked else set()  # through libpng
        linked |= {"leaflet"} if "microhttpd" in linked else set()  # in the page
        self.assertEqual(set(notices[1:]), linked)

    def test_top(self):
        text = self.done("--help")
        self.assertEqual(self.done("-h"), text)
        self.assertEqual(self.done("help"), text)
        for command in COMMANDS:
            self.assertRegex(text, r"(?m)^  %s +\w" % command)
        self.assertRegex(self.done("--version"), r"^portolan \d+\.\d+\.\d+\n$")
        self.assertEqual(self.done("-V"), self.done("--version"))

    def test_each(self):
        for command in COMMANDS:
            text = self.done(command, "--help")
            self.assertRegex(text, r"^Usage: portolan %s (ID )?\[?FILE" % command)
            self.assertEqual(self.done("help", command), text)
            self.assertEqual(self.done(command, "x", "-h"), text)


class Usage(CommandTest):
    def test_commands(self):
        self.failed(2, "no command given")
        self.failed(2, "no command 'improt'; did you mean import\\?", "improt")
        self.failed(2, "no command 'hepl'; did you mean help\\?", "hepl")
        self.failed(2, "no command 'xyzzy'\nTry", "xyzzy")
        self.failed(2, "no option '--verson'", "--verson")
        self.failed(2, "no command 'what'", "help", "what")

    def test_options(self):
        self.failed(2, "no option '--jbos'; did you mean --jobs", "generate", "f", "--jbos=2")
        self.failed(2, "--jobs needs a value: N", "generate", "f", "--jobs")
        self.failed(2, "--quiet takes no value", "generate", "f", "--quiet=1")
        self.failed(2, "no option '-x'", "verify", "f", "-x")
        self.failed(2, "something is missing: portolan new FILE NAME", "new", "f")
        self.failed(2, "'g' is one word too many", "status", "f", "g")

    def test_values(self):
        for values, pattern in [
                (["generate", "f"], "say which chunks"),
                (["generate", "f", "--rect", "1,2,3"], "is not X0,Y0,X1,Y1"),
                (["generate", "f", "--rect", "1,2,3,4,5"], "is not X0,Y0,X1,Y1"),
                (["generate", "f", "--rect", "1,2,0,4"], "is empty"),
                (["generate", "f", "--rect", "--chunk"], "is not X0,Y0,X1,Y1"),
                (["generate", "f", "--rect", "-9999999,0,0,0"], "at most 4194304"),
                (["generate", "f", "--rect", "-40000,-40000,40000,40000"], "more than"),
                (["generate", "f", "--chunk", "1;2"], "is not X,Y"),
                (["generate", "f", "--chunk", "1,99999999999999999999"], "is not X,Y"),
                (["generate", "f", "--radius", "-1"], "in 0..10000"),
                (["generate", "f", "--radius", "1", "--at", "4194304,0"], "leaves the world"),
                (["generate", "f", "--chunk", "0,0", "--jobs", "65"], "in 1..64"),
                (["generate", "f", "--chunk", "0,0", "--jobs", "2x"], "in 1..64"),
                (["generate", "f", "--chunk", "0,0", "--stop-after", "swamp"],
                 "(?s)did you mean swamps\\?.*Steps: .*swamps"),
                (["new", "f", "n"], "needs a seed"),
                (["new", "f", "n", "--seed", "-1"], "--seed '-1'"),
                (["new", "f", "n", "--seed", "18446744073709551616"], "--seed"),
                (["new", "f", "n", "--seed", "1", "--city-size", "17"], "in 0..16"),
                (["new", "f", "n", "--seed", "1", "--specials-density", "0"], "0.01..10"),
                (["new", "f", "n", "--seed", "1", "--specials-density", "nan"], "0.01..10"),
                (["new", "f", "n", "--seed", "1", "--placement", "x"], "none of quota.sectors"),
                (["show", "f"], "one of --omt, --chunk and --edge"),
                (["show", "f", "--omt", "1,2", "--chunk", "1,2"], "one of"),
                (["dump", "f"], "--chunk X,Y"),
                (["dump", "f", "--chunk", "0,0", "--level", "11"], "in -10..10"),
                (["query", "f", "SELECT 1", "--format", "xml"], "table, csv, json, jsonl, raw"),
                (["render", "f"], "say where to"),
                (["render", "f", "--text", "-o", "x"], "say where to"),
                (["render", "f", "-o", "x", "--levels", "1..11"], "A..B"),
                (["render", "f", "-o", "x", "--levels", "1...2"], "A..B"),
                (["render", "f", "-o", "x", "--scale", "33"], "in 1..32"),
                (["render", "f", "-o", "x", "--scale", "4", "--symbols"], "8 or more"),
                (["render", "f", "--text", "--color", "red"], "auto, always, never"),
                (["import", "f"], "nothing to import"),
                (["import", "f", "--game", "a", "--game", "b"], "--game is given twice"),
                (["new", "f", "n", "--seed", "1", "--seed=1"], "--seed is given twice"),
                (["verify", "f", "--json", "--format", "csv", "--format", "csv"], "--format is"),
                (["generate", "f", "--chunk", "0,0", "-j", "1", "--jobs", "2"], "--jobs is given"),
        ]:
            with self.subTest(values):
                self.failed(2, pattern, *values)

    def test_what_may_be_repeated(self):
        self.import_builtin()
        self.done("new", self.file, "w", "--seed", "1")
        self.done("generate", self.file, "--chunk", "0,0", "--chunk", "1,0", "-q", "-q")
        rows = self.json("query", self.file, "SELECT :a + :b AS s", "-p", "a", "1", "--parameter",
                         "b", "2", "--json")
        self.assertEqual(rows[0]["s"], 3)
        self.assertEqual(self.done("help", "--help"), self.done("help"))

    def test_missing_and_strange_files(self):
        text = self.write("text.db", "not a database, and long enough to be none at all\n" * 99)
        for values in (["new", self.file, "n", "--seed", "1"], ["status", self.file],
                       ["generate", self.file, "--chunk", "0,0"], ["digest", self.file],
                       ["verify", self.file], ["query", self.file, "SELECT 1"]):
            self.failed(1, "(?s)w\\.db.*portolan import", *values)
            self.assertFalse(os.path.exists(self.file), values)
            values[1] = text
            self.failed(1, "text\\.db", *values)

    def test_full_disk(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([COMMAND, "--help"], stdout=full, stderr=subprocess.PIPE,
                                  text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left", done.stderr)


if __name__ == "__main__":
    unittest.main()
