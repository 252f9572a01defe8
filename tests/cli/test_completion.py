"""Completion: what the command says may follow, and that bash, zsh and fish offer just that, for
names that would do harm, too."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
import unittest

from support import COMMAND, COMMANDS, SOURCE, WITHOUT_FILE, CommandTest, run
from terminal import Terminal, has_terminals

sys.path.insert(0, os.path.join(SOURCE, "tests", "support"))
from reseal import reseal  # noqa: E402 pylint: disable=wrong-import-position

# Of worlds. A shell that evaluated one would make a file.
HOSTILE = ["$(touch HACKED)", "`touch HACKED`", "a b", "it's", 'say "x"', "x;touch HACKED", "-n",
           "*", "~", "k:v", "k=v", "комета", "back\\slash", "!!", "&& touch HACKED"]
UNSEEN = ["\x1b[31mred", "line\nbreak", "\u202egnp.exe", "\u009bdel", "\x7f"]


def plain(output):
    """What a terminal shows, without colours and moves."""
    return re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", output.decode("utf-8", "replace"))


class CompletionTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.import_builtin()

    def offers(self, *words):
        """What kind of answer, and the words."""
        lines = self.done("__complete", *words).split("\n")
        return lines[0], [line.split("\t")[0] for line in lines[1:] if line]

    def make_worlds(self, names):
        self.done("new", self.file, "home", "--seed", "1")
        for name in names:
            self.done("new", self.file, "--seed", "2", "--", name)


class Answers(CompletionTest):
    def test_commands(self):
        kind, words = self.offers("")
        self.assertEqual(kind, "words")
        self.assertEqual(sorted(words), sorted(COMMANDS + WITHOUT_FILE + ["help", "--help",
                                                           "--version", "--licenses"]))
        self.assertEqual(self.offers("gen"), ("words", ["generate"]))
        self.assertEqual(self.offers("help", "gen"), ("words", ["generate"]))
        self.assertEqual(self.offers("nothing", "")[1], [])
        self.assertEqual(self.offers()[0], "words")

    def test_options_are_those_of_help(self):
        for command in COMMANDS:
            named = re.findall(r"(?m)^  (?:-\w, |    )(--[a-z-]+)", run(command, "--help").stdout)
            self.assertEqual(self.offers(command, "x", "--"), ("words", named), command)
        self.assertEqual(self.offers("generate", "x", "--", "--")[1], [])

    def test_values(self):
        for words, kind, offered in [
                (["generate", "x", "--stop-after", "swa"], "words", ["swamps"]),
                (["generate", "x", "--stop-after=swa"], "words", ["--stop-after=swamps"]),
                (["stats", "x", "--section", "wat"], "words", ["water"]),
                (["index", "x", "--tables", "building,att"], "words", ["building,attempt"]),
                (["journal", "x", ""], "words", ["truncate", "wal"]),
                (["completion", "z"], "words", ["zsh"]),
                (["generate", "x", "--jobs", ""], "words", []),
                (["status", "x", ""], "words", []),
                (["render", "x", "-o", "a"], "files 0", []),
                (["render", "x", "--output=a"], "files 9", []),
                (["render", "x", "-oa"], "files 2", []),
                (["status", ""], "files 0", []),
                (["backup", "x", ""], "files 0", []),
                (["export", "x", ""], "files 0", []),
                (["stats", "x", "--charts", ""], "directories 0", []),
                (["import", "x", "a", "b", ""], "files 0", []),
        ]:
            self.assertEqual(self.offers(*words), (kind, offered), words)

    def test_words_of_values_are_accepted(self):
        """A value that is offered is never wrong use; another one is."""
        for command, option, more in [("query", "format", ["SELECT 1"]), ("stats", "format", []),
                                      ("find", "format", ["--where", "lake"]),
                                      ("compare", "format", ["x"]), ("stats", "sort", []),
                                      ("stats", "chart-format", ["--charts", "c"]),
                                      ("new", "placement", ["n", "--seed", "1"]),
                                      ("render", "color", ["--text"]),
                                      ("export", "format", ["d"]),
                                      ("repair", "wait", []),
                                      ("stats", "section", ["anthill", "abbey"])]:
            words = self.offers(command, "x", "--" + option, "")[1]
            self.assertGreater(len(words), 0, (command, option))
            for word in words:
                result = run(command, self.path("x"), *more, "--" + option, word)
                self.assertEqual(result.returncode, 1, (command, option, word, result.stderr))
            result = run(command, self.path("x"), *more, "--" + option, "xyzzy")
            self.assertEqual(result.returncode, 2, (command, option))

    def test_names_of_the_file(self):
        self.make_worlds(["island"])
        self.done("sweep", self.file, "many", "--seeds", "1", "--quiet")
        self.done("generate", self.file, "--world", "home", "--chunk", "0,0", "--quiet")
        self.assertEqual(self.offers("status", self.file, "--world", "")[1], ["home", "island"])
        self.assertEqual(self.offers("stats", self.file, "--sweep", "m")[1], ["many"])
        self.assertEqual(self.offers("sweep", self.file, "")[1], ["many"])
        self.assertEqual(self.offers("why", "--world", "home", self.file, "anth")[1], ["anthill"])
        self.assertEqual(self.offers("stats", self.file, "abbey", "anth")[1], ["anthill"])
        self.assertIn("anthill", self.offers("sweep", self.file, "--special", "")[1])
        self.assertEqual(self.offers("new", self.file, "n", "--region", "d")[1], ["default"])
        self.assertEqual(self.offers("compare", self.file, self.file + ":")[1],
                         [self.file + ":home", self.file + ":island", self.file + ":many"])
        for word in self.offers("render", self.file, "--center", "")[1][:3]:
            self.done("render", self.file, "--world", "home", "--text", "--center", word)
        for word in self.offers("replay", self.file, "")[1]:
            self.done("replay", self.file, word, "--steps", "--world", "home")

    def test_strange_files(self):
        """Nothing is offered, nothing is said, nothing is made, and it takes no time."""
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        text = self.write("text", "not a database at all\n" * 50)
        for path in (fifo, text, self.path("none"), self.folder, "/dev/null", "/dev/zero", ""):
            before = sorted(os.listdir(self.folder))
            start = time.monotonic()
            result = run("__complete", "status", path, "--world", "")
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "words\n", ""))
            self.assertLess(time.monotonic() - start, 20, path)
            self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_a_journal_is_left_alone(self):
        self.make_worlds([])
        self.write("w.db-journal", "whatever lies here is for a command that opens the file\n")
        self.assertEqual(self.offers("status", self.file, "--world", ""), ("words", []))
        self.assertIn("w.db-journal", os.listdir(self.folder))

    def test_hostile_names(self):
        self.make_worlds(HOSTILE + ["a%d" % i for i in range(len(UNSEEN))])
        db = sqlite3.connect(self.file)
        for i, name in enumerate(UNSEEN):
            db.execute("UPDATE world SET name = ? WHERE name = ?", (name, "a%d" % i))
        reseal(db)
        db.commit()
        db.close()
        self.assertEqual(sorted(self.offers("status", self.file, "--world", "")[1]),
                         sorted(HOSTILE + ["home"]))


class Scripts(CompletionTest):
    """The shells' parts, in the shells."""

    def setUp(self):
        super().setUp()
        self.make_worlds(HOSTILE)
        self.environment = dict(os.environ, PATH=os.path.dirname(os.path.abspath(COMMAND)) + ":" +
                                os.environ["PATH"], HOME=self.folder, LC_ALL="C.UTF-8")

    def no_harm(self):
        self.assertEqual(sorted(name for name in os.listdir(self.folder) if "HACKED" in name), [])

    def needs(self, shell):
        if not shutil.which(shell):
            print("SKIPPED: %s is not installed" % shell)
            self.skipTest("%s is not installed" % shell)

    def test_printed_scripts_are_those_of_tools(self):
        for shell in ("bash", "zsh", "fish"):
            with open(os.path.join(SOURCE, "tools/completion/portolan." + shell),
                      encoding="utf-8") as file:
                self.assertEqual(self.done("completion", shell), file.read())
        self.failed(2, "bash, zsh, fish", "completion", "csh")

    def bash(self, line):
        """What bash would put on the line, for each candidate."""
        program = ('. "$1"; COMP_LINE=$2 COMP_POINT=${#2} COMP_WORDBREAKS=$\' \\t\\n"\\\'><=;|&(:\'; '
                   '_portolan; for word in "${COMPREPLY[@]}"; do printf "%s\\n" "$word"; done')
        done = subprocess.run(["bash", "-c", program, "bash",
                               os.path.join(SOURCE, "tools/completion/portolan.bash"), line],
                              capture_output=True, text=True, check=False, cwd=self.folder,
                              env=self.environment)
        self.assertEqual(done.stderr, "")
        self.no_harm()
        return done.stdout.split("\n")[:-1]

    def test_bash(self):
        self.write("neighbour", "")
        for line, words in [("portolan gen", ["generate"]),
                            ("portolan query x --format c", ["csv"]),
                            ("portolan query x --format=c", ["csv"]),
                            ("LC_ALL=C portolan generate x --stop-after swa", ["swamps"]),
                            ("portolan render x --sy", ["--symbols"]),
                            ("portolan status nei", ["neighbour"]),
                            ("portolan status ~/nei", [self.folder + "/neighbour"]),
                            ("portolan compare w.db w.db:ho", ["home"]),
                            ("portolan status w.db --world 'ho", ["home"]),
                            ("portolan status \"w.db\" --world a\\ ", ["a\\ b"]),
                            ("portolan status w.db --world \"a ", ["a b"]),
                            ("portolan status $(touch HACKED) --world ", []),
                            ("$(touch HACKED) status ", [])]:
            self.assertEqual(self.bash(line), words, line)

    def test_bash_hostile(self):
        """Read back by a shell, what is offered is the name, whatever quotes it stands in."""
        for quote in ("", "'", '"'):
            offered = self.bash("portolan status w.db --world " + quote)
            names = []
            for word in offered:
                done = subprocess.run(["bash", "-c", "printf %%s %s%s%s" % (quote, word, quote)],
                                      capture_output=True, text=True, check=True, cwd=self.folder)
                names.append(done.stdout)
            self.no_harm()
            self.assertLessEqual(set(names), set(HOSTILE + ["home"]))
            if not quote:
                self.assertEqual(sorted(names), sorted(HOSTILE + ["home"]))
            self.assertIn("home", names)

    def press_tab(self, words, setup, line, expected):
        """Types the line and a tab into an interactive shell; the line then reads as expected."""
        with Terminal(words, 200, environment=self.environment, cwd=self.folder) as terminal:
            for part in setup:
                terminal.type(part + "\n")
            terminal.type("printf 'READ''Y\\n'\n")
            self.assertIn("READY", terminal.read(30, "READY"))
            terminal.output = b""
            terminal.type(line + "\t")
            end = time.monotonic() + 20
            while time.monotonic() < end and expected not in plain(terminal.output):
                terminal.read(0.1)
        self.assertIn(expected, plain(terminal.output))
        self.no_harm()

    def test_bash_on_a_terminal(self):
        if not has_terminals():
            self.skipTest("no pseudo terminal")
        setup = [". " + os.path.join(SOURCE, "tools/completion/portolan.bash")]
        shell = ["bash", "--norc", "--noprofile", "-i"]
        self.press_tab(shell, setup, "portolan genera", "portolan generate ")
        self.press_tab(shell, setup, "portolan status w.db --world it", "it\\'s ")
        self.press_tab(shell, setup, "portolan status w.db --world '&", "'&& touch HACKED' ")
        self.press_tab(shell, setup, "portolan status w.db --world x", "x\\;touch\\ HACKED ")
        self.press_tab(shell, setup, "portolan stats w.db --world=ho", "--world=home ")

    def test_zsh_on_a_terminal(self):
        self.needs("zsh")
        if not has_terminals():
            self.skipTest("no pseudo terminal")
        setup = ["PS1='> '", "autoload -Uz compinit", "compinit -u -D",
                 "source " + os.path.join(SOURCE, "tools/completion/portolan.zsh")]
        shell = ["zsh", "-f", "-i"]
        self.press_tab(shell, setup, "portolan genera", "generate ")
        self.press_tab(shell, setup, "portolan status w.db --world it", "it\\'s")
        self.press_tab(shell, setup, "portolan status w.db --world x", "x\\;touch\\ HACKED")
        self.press_tab(shell, setup, "portolan stats w.db --world=ho", "--world=home")
        self.press_tab(shell, setup, "portolan status w", "w.db")

    def fish(self, line):
        done = subprocess.run(["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]",
                               os.path.join(SOURCE, "tools/completion/portolan.fish"), line],
                              capture_output=True, text=True, check=False, cwd=self.folder,
                              env=self.environment, stdin=subprocess.DEVNULL)
        self.assertEqual(done.stderr, "")
        self.no_harm()
        return [word.split("\t")[0] for word in done.stdout.split("\n")[:-1]]

    def test_fish(self):
        self.needs("fish")
        self.assertEqual(self.fish("portolan genera"), ["generate"])
        self.assertEqual(self.fish("portolan generate x --stop-after swa"), ["swamps"])
        self.assertEqual(self.fish("portolan query x --format=c"), ["--format=csv"])
        self.assertIn("w.db", self.fish("portolan status w"))
        self.assertEqual(self.fish("portolan status w.db --world 'ho"), ["home"])
        found = self.fish("portolan status w.db --world ")
        self.assertEqual(len(found), len(HOSTILE) + 1)
        self.assertIn("home", found)


if __name__ == "__main__":
    unittest.main()
