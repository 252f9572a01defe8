"""--help, and exit codes. (Width and examples of the help: test_help.py; completion:
test_completion.py; man pages: test_manual.py.)"""

import os
import subprocess
import unittest

from support import COMMAND, COMMANDS, CommandTest


class Help(CommandTest):
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
            self.assertIn("Usage: portolan %s FILE" % command, text)
            self.assertEqual(self.done("help", command), text)
            self.assertEqual(self.done(command, "x", "-h"), text)


class Usage(CommandTest):
    def test_commands(self):
        self.failed(2, "no command given")
        self.failed(2, "no command 'improt'; did you mean import\\?", "improt")
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
                (["new", "f", "n", "--seed", "1", "--placement", "x"], "quota nor sectors"),
                (["show", "f"], "one of --tile, --chunk and --edge"),
                (["show", "f", "--tile", "1,2", "--chunk", "1,2"], "one of"),
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
        ]:
            with self.subTest(values):
                self.failed(2, pattern, *values)

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
