"""What the README and the tutorials show, done by a reader: their files are written, their commands run in order in
an empty folder, and each prints what the page says. (schema/tutorial-game.md is for tests/example/test_walk.py.) In a
page

    ```console       `$ ` begins a command; the other lines are what it prints, on both streams
    ```json NAME     (or c) is a file that the reader saves

`...` stands for what differs from run to run: alone on a line for any lines, behind a blank for any text.
"""

import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import support  # pylint: disable=wrong-import-position

BLOCK = re.compile(r"^```(console|(?:json|c) (\S+))\n(.*?)^```$", re.S | re.M)
LIBRARY = os.environ.get("PORTOLAN_LIBRARY", "")  # libportolan.so, where programs can be linked with it


def pattern(lines):
    """The expected lines as a regular expression over all that a command printed."""
    parts = []
    for line in lines:
        if line == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(map(re.escape, re.split(r"(?<= )\.\.\.", line.rstrip()))) + r" *\n")
    return "".join(parts) + r"\Z"


def commands(block):
    """(command, lines it prints) of a console block."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


class Pages(support.CommandTest):
    def environment(self):
        env = dict(os.environ, PATH=os.path.dirname(os.path.abspath(support.COMMAND)) + ":" + os.environ["PATH"])
        if LIBRARY:
            folder = os.path.dirname(LIBRARY)
            self.write("portolan.pc", "Name: portolan\nDescription: as built\nVersion: 0\n"
                       "Cflags: -I%s/src/include\nLibs: -L%s -lportolan\n" % (support.SOURCE, folder))
            env.update(PKG_CONFIG_PATH=self.folder, LD_LIBRARY_PATH=folder)
        return env

    def follow(self, page, least):
        with open(os.path.join(support.SOURCE, page), encoding="utf-8") as file:
            blocks = BLOCK.findall(file.read())
        env = self.environment()
        ran = 0
        for kind, name, text in blocks:
            if kind != "console":
                os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
                self.write(name, text)
                continue
            for command, lines in commands(text):
                if not LIBRARY and re.match(r"cc |\./", command):
                    print("LEFT OUT: %s: no shared library here" % command)
                    continue
                done = subprocess.run(["sh", "-c", command], cwd=self.folder, env=env, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True, timeout=240, check=False)
                self.assertEqual(done.returncode, 0, (page, command, done.stdout))
                self.assertRegex(done.stdout, r"\A" + pattern(lines), (page, command))
                ran += 1
        self.assertGreaterEqual(ran, least)

    def test_readme(self):
        self.follow("README.md", 6)

    def test_mods(self):
        self.follow("schema/tutorial-mods.md", 14)

    def test_worlds(self):
        self.follow("schema/tutorial-worlds.md", 9)


if __name__ == "__main__":
    unittest.main()
