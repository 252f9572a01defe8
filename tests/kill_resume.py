#!/usr/bin/env python3
"""The kill test: generating is killed (SIGKILL) again and again, and goes on each time.

After each kill the file must open and verify, hold every chunk that was reported, and in the
end have the digest of an undisturbed run. Standard library only.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "support"))
from command import command_option, content_arguments, run  # noqa: E402

SIZE = 20  # several batches


def rect():
    return "0,0,%d,%d" % (SIZE - 1, SIZE - 1)


def chunks(command, world):
    rows = run(command, "query", world, "SELECT count(*) AS n FROM chunk", "--format", "csv")
    return int(rows.split()[-1])


def generate_and_kill(command, world, growths, seconds):
    """Kills the process so many seconds after the file has grown so many times, that is in or
    after the commit of a batch, however fast the machine is; without growths right after its
    start. True if it had ended by itself before."""
    process = subprocess.Popen([command, "generate", world, "--rect", rect(), "--jobs", "2"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    size = os.path.getsize(world)
    while growths > 0 and process.poll() is None:
        now = os.path.getsize(world)
        growths -= now > size
        size = now
        time.sleep(0.0005)
    try:
        _, errors = process.communicate(timeout=seconds)
        if process.returncode != 0:
            sys.exit("FAILED: generate after a kill: %s" % errors)
        return True
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return False


def check(command, world, before):
    """The killed file: verifies, and nothing that was there is gone."""
    run(command, "verify", world)
    now = chunks(command, world)
    if now < before:
        sys.exit("FAILED: %d chunks after a kill, %d before" % (now, before))
    return now


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    command_option(parser)
    # PORTOLAN_QUICK: slow builds (tools/test)
    parser.add_argument("--kills", type=int, default=4 if "PORTOLAN_QUICK" in os.environ else 12)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        plain, killed = os.path.join(folder, "plain.db"), os.path.join(folder, "killed.db")
        run(options.command, "import", plain, *content_arguments("builtin"))
        run(options.command, "new", plain, "w", "--seed", options.seed)
        shutil.copy(plain, killed)
        run(options.command, "generate", plain, "--rect", rect())
        wanted = run(options.command, "digest", plain).strip()
        kills, partial, saved = 0, 0, 0
        while kills < options.kills:
            growths = rng.randint(0, 3)
            if generate_and_kill(options.command, killed, growths, rng.uniform(0, 0.03)):
                # All done already: begin again.
                os.remove(killed)
                run(options.command, "import", killed, *content_arguments("builtin"))
                run(options.command, "new", killed, "w", "--seed", options.seed)
                saved = 0
                continue
            kills += 1
            saved = check(options.command, killed, saved)
            partial += 0 < saved < SIZE * SIZE
        run(options.command, "generate", killed, "--rect", rect())
        run(options.command, "verify", killed)
        got = run(options.command, "digest", killed).strip()
        print("%d kills, %d with a part of the chunks saved" % (kills, partial))
        print("undisturbed: %s\nkilled:      %s" % (wanted, got))
        if got != wanted or not re.match(r"[0-9a-f]{64} ", got) or partial == 0:
            sys.exit("FAILED: the digests differ, or no kill hit a world in the making")


if __name__ == "__main__":
    main()
