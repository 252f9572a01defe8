"""--help: every line fits 80 columns, and every example runs as it stands."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from support import COMMAND, COMMANDS, SOURCE, WITHOUT_FILE, CommandTest, run

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
        if command == "import-save":
            self.bash("portolan export w.db maps --format dda-save; "
                      "portolan new w.db played --seed 3", folder)

        if command == "export":
            save = os.path.join(folder, "cataclysm", "save", "Home")
            os.makedirs(save)
            for name, text in (("worldoptions.json", "[]"), ("mods.json", '["portolan"]'),
                               ("master.gsav", "# version 33\n{}"), ("#Sm8=.sav", "{}")):
                with open(os.path.join(save, name), "w", encoding="ascii") as file:
                    file.write(text)
                os.utime(os.path.join(save, name), (1e9, 1e9))

    def test_all(self):
        for command in COMMANDS + WITHOUT_FILE:
            lines = examples(command)
            self.assertGreater(len(lines), 0, command)
            with tempfile.TemporaryDirectory(prefix="portolan-example-") as folder:
                shutil.copytree(self.folder, folder, dirs_exist_ok=True)
                self.prepare(command, folder)
                for line in lines:
                    with self.subTest(line):
                        self.assertIn("portolan " + command, line)
                        done = self.bash(line, folder)
                        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
