"""A client of portolan lsp: sends messages as an editor does, and keeps what the server publishes."""

import json
import os
import queue
import subprocess
import threading
import urllib.parse

COMMAND = os.environ.get("PORTOLAN_COMMAND", "portolan")


def framed(message):
    data = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(data) + data


def uri_of(path):
    """Of a str or, for a name that is no UTF-8, bytes."""
    return "file://" + urllib.parse.quote(path)


def path_of(uri):
    """A byte that is no UTF-8 is in the str as Python's own calls of the system have it."""
    return urllib.parse.unquote(uri[len("file://"):] if uri.startswith("file://") else uri[len("portolan:"):],
                                errors="surrogateescape")


class Client:
    """A server with these arguments. Messages of the server that are no answers are in `told`, by method."""

    def __init__(self, *arguments, prefix=(), operands=(), **more):
        self.process = subprocess.Popen([*prefix, COMMAND, "lsp", *map(str, arguments), *operands], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        self.answers = queue.Queue()
        self.told = {}
        self.diagnostics = {}  # path -> the list that was published last
        self.published = 0
        self.last = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        out = self.process.stdout
        while True:
            length = 0
            for line in iter(out.readline, b"\r\n"):
                if not line:
                    self.answers.put(None)
                    return
                name, value = line.decode("ascii").split(":")
                length = int(value) if name == "Content-Length" else length
            message = json.loads(out.read(length))
            if "method" not in message:
                self.answers.put(message)
                continue
            self.told.setdefault(message["method"], []).append(message["params"])
            if message["method"] == "textDocument/publishDiagnostics":
                self.published += 1
                params = message["params"]
                self.diagnostics[path_of(params["uri"])] = params["diagnostics"]

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def notify(self, method, **params):
        self.send(framed({"jsonrpc": "2.0", "method": method, "params": params}))

    def post(self, method, **params):
        """Sends a request, and returns its id without waiting for the answer."""
        self.last += 1
        self.send(framed({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}))
        return self.last

    def answer(self, timeout=10):
        """The next answer, whole; None if the server has ended."""
        return self.answers.get(timeout=timeout)

    def request(self, method, **params):
        number = self.post(method, **params)
        answer = self.answer()
        assert answer and answer["id"] == number, (method, answer, self.process.poll())
        assert "error" not in answer, answer
        return answer["result"]

    def begin(self, encoding="utf-8", **params):
        result = self.request("initialize", processId=None, rootUri=None,
                              capabilities={"general": {"positionEncodings": [encoding]}}, **params)
        self.notify("initialized")
        return result["capabilities"]

    def open(self, path, text, version=1):
        self.notify("textDocument/didOpen", textDocument={"uri": uri_of(path), "languageId": "json",
                                                          "version": version, "text": text})

    def change(self, path, version, *changes):
        self.notify("textDocument/didChange", textDocument={"uri": uri_of(path), "version": version},
                    contentChanges=list(changes))

    def close(self, path):
        self.notify("textDocument/didClose", textDocument={"uri": uri_of(path)})

    def checked(self):
        """Waits until the remarks on all that was sent are published."""
        self.request("portolan/checked")
        return {path: found for path, found in self.diagnostics.items() if found}

    def at(self, method, path, line, character, **more):
        """A request about a place."""
        return self.request("textDocument/" + method, textDocument={"uri": uri_of(path)},
                            position={"line": line, "character": character}, **more)

    def end(self, timeout=10):
        """Ends the server; its exit code and what it printed as errors."""
        self.request("shutdown")
        self.notify("exit")
        return self.left(timeout)

    def left(self, timeout=10):
        """Ends the input; the exit code and what was printed as errors."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        code = self.process.wait(timeout)
        errors = self.process.stderr.read().decode()
        self.process.stderr.close()
        return code, errors

    def drop(self):
        """Ends the process, whatever it does, and closes its pipes."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stderr, self.process.stdout):
            try:
                pipe.close()
            except BrokenPipeError:
                pass
