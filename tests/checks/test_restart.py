"""Commands that touch much memory start anew, with memory in large pages: they answer as before, and leave alone what the user has
set."""

import os
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from support import COMMAND, CommandTest  # noqa: E402 pylint: disable=wrong-import-position

NAME, OWN = "GLIBC_TUNABLES", "glibc.malloc.check=0"  # a user's setting, which changes nothing
LONG = ["loot", "--builtin", "--simulate", "--samples", "1000000"]


def run(*arguments, **more):
    environment = {k: v for k, v in os.environ.items() if k != NAME}
    return subprocess.Popen([COMMAND, *arguments], env={**environment, **more}, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def settings(process):
    """Returns what the process was started with; None if nothing, or while the system starts it."""
    with open("/proc/%d/environ" % process.pid, "rb") as f:
        found = [v for v in f.read().split(b"\0") if v.startswith(NAME.encode())]
    return found[0].decode().partition("=")[2] if found else None


class Restart(CommandTest):
    def seen(self, until, **more):
        """Starts a long command and returns its settings once `until` is true of them, or after two seconds."""
        with run(*LONG, **more) as process:
            try:
                end = time.monotonic() + 2
                while not until(found := settings(process)) and time.monotonic() < end:
                    self.assertIsNone(process.poll(), "it ended at once")
                    time.sleep(0.01)
                return found
            finally:
                process.kill()

    def test_it_starts_anew(self):
        self.assertIn("glibc.malloc.hugetlb=1", self.seen(lambda found: found) or "")

    def test_what_the_user_has_set_stays(self):
        self.assertEqual(self.seen(lambda found: found not in (OWN, None), **{NAME: OWN}), OWN)

    def test_the_answer_is_the_same(self):
        for arguments, code in ((["loot", "--builtin", "--monster", "mon_hare", "--in", "cabin", "--tree"], 0),
                                (["loot", "--builtin", "--monster", "nothing"], 1),
                                (["loot", "--builtin", "--ithem", "a", "--item", ""], 2)):
            with run(*arguments) as one, run(*arguments, **{NAME: OWN}) as other:
                self.assertEqual(one.communicate(), other.communicate())
                self.assertEqual((one.returncode, other.returncode), (code, code))


if __name__ == "__main__":
    unittest.main()
