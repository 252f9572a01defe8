#!/usr/bin/env python3
"""What tools/check_api finds in a small set of headers and a page of their own: each rule, broken once."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.path.join(os.path.dirname(os.path.dirname(HERE)), "tools", "check_api")

HEADER = """
typedef struct ptl_world ptl_world;
typedef struct ptl_chunk ptl_chunk;
typedef struct ptl_report {
    size_t size;
} ptl_report;
/* Opens a world, ptl_tiles of it, and more. */
PTL_API ptl_status ptl_world_open(ptl_world **out, const char *name, ptl_error *err);
PTL_API void ptl_world_close(ptl_world *world);
PTL_API const char *ptl_world_name(const ptl_world *world);
PTL_API bool ptl_world_is_new(const ptl_world *world);
PTL_API size_t ptl_world_count(const ptl_world *world);
PTL_API ptl_status ptl_chunk_load(ptl_chunk **out, ptl_report *report, ptl_world *world, int32_t x,
                                  ptl_error *err);
PTL_API ptl_status ptl_chunk_list(ptl_world *world, const int32_t within[2],
                                  bool (*on_chunk)(void *payload, int32_t x, int32_t y),
                                  void *payload, ptl_error *err);
"""
PAGE = """
`ptl_world_open` `ptl_world_close` `ptl_world_name` `ptl_world_is_new` `ptl_world_count` `ptl_chunk_load`
`ptl_chunk_list`

| verb | meaning |
|---|---|
| `open` | opens |
| `close` | closes |
| `count` | counts |
| `load` | reads |
| `list` | tells |
| `begin` | no call yet: begins |
"""


class Api(unittest.TestCase):
    def look(self, header=HEADER, page=PAGE, name="world"):
        root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, root)
        for path, text in (("src/include/portolan/%s.h" % name, header), ("schema/api.md", page)):
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as f:
                f.write(text)
        done = subprocess.run([sys.executable, TOOL, root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_sound(self):
        self.assertEqual(self.look(), (0, ""))

    def breach(self, said, old, new):
        """One change of the header brings one breach."""
        self.assertEqual(HEADER.count(old), 1, old)
        self.assertEqual(self.look(HEADER.replace(old, new)), (1, said + "\n"))

    def test_order(self):
        self.breach("ptl_chunk_load: report is a result and does not stand first",
                    "ptl_chunk **out, ptl_report *report, ptl_world *world, int32_t x",
                    "ptl_chunk **out, ptl_world *world, int32_t x, ptl_report *report")
        self.breach("ptl_chunk_list: world is its object and does not stand right behind the results",
                    "ptl_world *world, const int32_t within[2],", "const int32_t within[2], ptl_world *world,")
        self.breach("ptl_world_open: err is not its last parameter, or has another name",
                    "const char *name, ptl_error *err", "ptl_error *err, const char *name")
        self.breach("ptl_chunk_list: it can fail and has no err", "void *payload, ptl_error *err", "void *payload")
        self.breach("ptl_chunk_list: no payload stands behind its callback",
                    "                                  void *payload, ptl_error *err", "ptl_error *err")

    def test_verbs(self):
        self.breach("ptl_world_open: nothing ends what it gives: a call of the same type with close",
                    "ptl_world_close(ptl_world *world)", "ptl_world_close(ptl_chunk *chunk)")
        self.breach("ptl_world_close: it takes one thing and can't fail", "void ptl_world_close", "int ptl_world_close")
        self.breach("ptl_world_count: it returns a number", "size_t ptl_world_count", "double ptl_world_count")
        self.breach("ptl_world_is_new: a question is answered by bool", "bool ptl_world_is_new", "int ptl_world_is_new")
        self.breach("ptl_chunk_load: it gives something: a result first", "ptl_chunk **out, ptl_report *report, ", "")
        self.breach("ptl_world_name: its last word is no verb of schema/api.md, and it may change its object",
                    "ptl_world_name(const ptl_world *world)", "ptl_world_name(ptl_world *world)")

    def test_page(self):
        self.assertEqual(self.look(page=PAGE.replace("`ptl_chunk_list`", "`ptl_chunk_lists`")),
                         (1, "ptl_chunk_list: schema/api.md does not name it\n"
                             "schema/api.md: there is no call ptl_chunk_lists\n"))
        self.assertEqual(self.look(page=PAGE + "| `put` | stores |\n"), (1, "schema/api.md: no call has the verb 'put'\n"))
        self.assertEqual(self.look(page=PAGE.replace("| opens |", "| no call yet: opens |")),
                         (1, "schema/api.md: a call has the verb 'open' by now\n"))
        self.assertEqual(self.look(page=PAGE.replace("| `list` | tells |\n", "")),
                         (1, "ptl_chunk_list: its last word is no verb of schema/api.md\n"))

    def test_headers(self):
        self.assertEqual(self.look(name="sea"), (1, "sea.h: nothing in it has its name\n"))
        self.breach("ptl_tile_report: a tile is a 24th of an OMT: is it an OMT?", "} ptl_report;", "} ptl_tile_report;")

    def test_nothing_to_look_at(self):
        status, said = self.look(header="typedef int ptl_world;\n")
        self.assertEqual(status, 1)
        self.assertIn("no public call", said)


if __name__ == "__main__":
    unittest.main()
