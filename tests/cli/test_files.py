"""No file of anyone else's is overwritten, emptied or removed."""

import os
import unittest

from support import CommandTest


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


if __name__ == "__main__":
    unittest.main()
