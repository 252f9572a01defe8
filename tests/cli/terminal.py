"""Programs in a pseudo terminal of 80 columns."""

import errno
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time


def has_terminals():
    """Whether there are pseudo terminals here; says so where not (a bare chroot)."""
    try:
        master, slave = pty.openpty()
    except OSError as error:
        print("SKIPPED: no pseudo terminal here (%s)" % error)
        return False
    os.close(master)
    os.close(slave)
    return True


class Terminal:
    """A program whose standard streams are a terminal."""

    def __init__(self, words, columns=80, rows=24, environment=None, **more):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = dict(os.environ if environment is None else environment)
        environment.pop("COLUMNS", None)
        environment.setdefault("TERM", "xterm")
        self.process = subprocess.Popen(words, stdin=slave, stdout=slave, stderr=slave,
                                        env=environment, start_new_session=True, **more)
        os.close(slave)
        self.output = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def type(self, text):
        os.write(self.master, text.encode())

    def read(self, seconds, until=None):
        """What comes within so many seconds, or until it holds this text."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not (until and until.encode() in self.output):
            if not select.select([self.master], [], [], 0.05)[0]:
                if self.process.poll() is not None and not select.select([self.master], [], [],
                                                                         0)[0]:
                    break
                continue
            try:
                part = os.read(self.master, 65536)
            except OSError as error:  # Linux says so once the other side is closed
                if error.errno != errno.EIO:
                    raise
                break
            if not part:
                break
            self.output += part
        return self.output.decode("utf-8", "replace")


def run_in_terminal(words, columns=80, seconds=240, environment=None, **more):
    """Exit code and output (both streams) of a program in a terminal."""
    with Terminal(words, columns, environment=environment, **more) as terminal:
        text = terminal.read(seconds)
        return terminal.process.wait(timeout=10), text.replace("\r\n", "\n")
