#!/usr/bin/env python3
"""What tools/check_layers finds in a small tree of its own: includes and calls against the table, circles
of folders by calls alone, bodies that stand elsewhere; and what it says where it has no objects to look at."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.path.join(os.path.dirname(os.path.dirname(HERE)), "tools", "check_layers")

SOUND = {
    "include/portolan/house.h": "int roof_three(void);\n",
    "core/core.h": "int core_one(void);\n",
    "core/core.c": '#include "core/core.h"\nint core_one(void)\n{\n    return 1;\n}\n',
    "house/cellar/cellar.h": "int cellar_two(void);\n",
    "house/cellar/cellar.c": '#include "core/core.h"\n#include "house/cellar/cellar.h"\n'
                             "int cellar_two(void)\n{\n    return core_one() + 1;\n}\n",
    "house/roof/roof.h": "int roof_three(void);\n",
    "house/roof/roof.c": '#include "house/cellar/cellar.h"\n#include "house/roof/roof.h"\n'
                         "int roof_three(void)\n{\n    return cellar_two() + 1;\n}\n",
}
TABLE = "core:\nhouse/cellar: core\nhouse/roof:   house/cellar\n"


class Layers(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        self.build = os.path.join(self.root, "build", "release")

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def compile(self, sources):
        """As the release build leaves it: objects, and build.ninja with their sources."""
        lines = []
        for name in sources:
            if not name.endswith(".c"):
                continue
            folder, base = os.path.split(name)
            made = "src/%s/CMakeFiles/x.dir/%s.o" % (folder, base)
            source = os.path.join(self.root, "src", name)
            os.makedirs(os.path.dirname(os.path.join(self.build, made)), exist_ok=True)
            subprocess.run(["cc", "-I", os.path.join(self.root, "src"), "-c", "-o", os.path.join(self.build, made), source],
                           check=True)
            lines.append("build %s: C_COMPILER__x_Release %s || order\n" % (made, source))
        self.write("build/release/build.ninja", "".join(lines))

    def look(self, changed=None, table=TABLE, build=True, options=("--symbols",)):
        sources = dict(SOUND, **(changed or {}))
        for name, text in sources.items():
            self.write("src/" + name, text)
        self.write("tools/layers.txt", table)
        if build:
            self.compile(sources)
        return subprocess.run([sys.executable, TOOL, "--root", self.root, *options], capture_output=True, text=True)

    def found(self, text, **given):
        done = self.look(**given)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn(text, done.stdout)

    def test_sound(self):
        done = self.look()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_include(self):
        self.found("house/cellar/cellar.c:1: 'house/cellar' may not include house/roof/roof.h",
                   changed={"house/cellar/cellar.c": '#include "house/roof/roof.h"\n' + SOUND["house/cellar/cellar.c"]})

    # No header of the other room is included: only its symbol tells.
    CALLS_UP = {"house/cellar/cellar.c": '#include "core/core.h"\n#include "house/cellar/cellar.h"\nint roof_three(void);\n'
                                         "int cellar_two(void)\n{\n    return core_one() ? 2 : roof_three();\n}\n"}

    def test_call(self):
        self.found("'house/cellar' may not use roof_three, which is in src/house/roof/roof.c", changed=self.CALLS_UP)

    def test_circle(self):
        self.found("src/house: a circle of 2 folders: cellar, roof", changed=self.CALLS_UP)

    def test_circle_of_wings(self):
        """No room is in a circle, but the folders are that they lie in."""
        changed = {"garden/shed/shed.c": "int cellar_two(void);\nint shed(void)\n{\n    return cellar_two();\n}\n",
                   "garden/well/well.c": "int well(void)\n{\n    return 4;\n}\n",
                   "house/roof/rain.c": "int well(void);\nint rain(void)\n{\n    return well();\n}\n"}
        self.found("src/: a circle of 2 folders: garden, house", changed=changed,
                   table="core:\nhouse/cellar: core\ngarden/well:\nhouse/roof: house/cellar\n  garden/well\ngarden/shed: house/cellar\n")

    def test_body_elsewhere(self):
        self.found("src/house/cellar/cellar.h: it declares roof_three, whose body is in 'house/roof'",
                   changed={"house/cellar/cellar.h": "int cellar_two(void);\nint roof_three(void);\n"})

    def test_table(self):
        self.found("'house/roof' names 'house', and no room of that name stands above it", table=TABLE + "  house\n")
        self.found("'house/roof' does not use 'core'", table=TABLE + "  core\n")

    def test_weak(self):
        """A weak symbol is used as any other."""
        weak = {"house/cellar/hook.c": "int roof_three(void) __attribute__((weak));\nint hook(void)\n{\n"
                                       "    return roof_three ? roof_three() : 0;\n}\n"}
        self.found("'house/cellar' may not use roof_three", changed=weak)

    def test_no_objects(self):
        self.found("no symbols to look at: there is no build/release", build=False)
        done = self.look(build=False, options=())
        self.assertEqual(done.returncode, 0)
        self.assertIn("only includes were looked at", done.stderr)

    def test_old_objects(self):
        self.look()
        later = time.time() + 60
        os.utime(os.path.join(self.root, "src", "core", "core.c"), (later, later))
        done = subprocess.run([sys.executable, TOOL, "--root", self.root, "--symbols"], capture_output=True, text=True)
        self.assertIn("build/release is older than src/core/core.c", done.stdout)
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
