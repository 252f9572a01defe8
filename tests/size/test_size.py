#!/usr/bin/env python3
"""What tools/size counts, in a small tree of its own."""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.path.join(os.path.dirname(os.path.dirname(HERE)), "tools", "size")

FILES = {
    # A comment of several lines, one behind code, one in a text, and a blank line: 3 lines of code.
    "core/a.c": '/* One,\n * two. */\nint a; // three\n\nconst char *b = "/* no comment";\nint c; /* four\n five */\n',
    "core/a.h": "int a;\n",
    "core/CMakeLists.txt": "# A comment.\nroom(a.c) # with a remark\n",
    "clients/cli/line/x.c": "int x;\n\n\nint y;\n",
    "clients/server/page/p.js": "// A page.\nconst url = 'http://here';\n",
    "README.md": "# No code\n",
}


class Size(unittest.TestCase):
    def look(self, files):
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = os.path.join(root, "src", name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
            return subprocess.run([sys.executable, TOOL, root], capture_output=True, text=True, check=False)

    def test_rooms(self):
        self.assertEqual([" ".join(line.split()) for line in self.look(FILES).stdout.splitlines()],
                         ["5 lines, 3 files: core", "2 lines, 1 files: clients/cli", "1 lines, 1 files: clients/server",
                          "8 lines, 5 files"])

    def test_nothing(self):
        done = self.look({})
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("no source", done.stderr)


if __name__ == "__main__":
    unittest.main()
