# SPDX-License-Identifier: Apache-2.0
"""Runs commands for tests, on the machine of a Ceph cluster. See CommandServer.java, which starts it and speaks to it.

Ceph's command line is a program in Python that loads for longer than it works. It is loaded here once; each of its
commands is then a fork. Other commands are started as usual.

Prints the port of 127.0.0.1 where it listens. A connection is a command: the token of the command line, its words, each
ended by NUL, then the end of the stream. The answer is its status and the lengths of what it printed to stdout and
stderr, then both. Given --until-eof, it ends with its stdin.
"""

import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import traceback


def use_interpreter(path):
    """Goes on in this Python, which has Ceph's libraries; the first one on the path may be another."""
    if os.path.realpath(path) != os.path.realpath(sys.executable) and "--chosen" not in sys.argv:
        os.execv(path, [path, __file__, *sys.argv[1:], "--chosen"])


class Tool:
    """The `ceph` of this machine, as it runs by itself; None where it is no Python."""

    def __init__(self):
        self.path = shutil.which("ceph")
        self.code = None
        if self.path is None:
            return
        with open(self.path, "rb") as file:
            source = file.read()
        first = source.split(b"\n", 1)[0].decode(errors="replace")
        if first.startswith("#!") and "python" in first:
            use_interpreter(first[2:].split()[0])
            self.code = compile(source, self.path, "exec")
            # Loads what it imports, and does nothing else under this name.
            exec(self.code, {"__name__": "loaded", "__file__": self.path})

    def main(self, words):
        sys.argv = [self.path, *words]
        exec(self.code, {"__name__": "__main__", "__file__": self.path})


def run_tool(tool, words, out, err):
    child = os.fork()
    if child == 0:
        status = 1
        try:
            with open(os.devnull, "rb") as nothing:
                os.dup2(nothing.fileno(), 0)
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            tool.main(words)
            status = 0
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def run(tool, command, out, err):
    if command[0] == "ceph" and tool.code is not None:
        return run_tool(tool, command[1:], out, err)
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, check=False).returncode
    except OSError as failure:
        hint = "; Ceph's command line tools are in the package ceph-common" if command[0] in ("ceph", "rados") else ""
        err.write(f"cannot run {command[0]}: {failure}{hint}\n".encode())
        return 127


def serve(tool, token, connection):
    with connection, connection.makefile("rb") as request:
        words = request.read().decode().split("\0")[:-1]
        if not words or words.pop(0) != token:
            return
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            status = run(tool, words, out, err)
            printed = []
            for file in (out, err):
                file.seek(0)
                printed.append(file.read())
        connection.sendall(f"{status} {len(printed[0])} {len(printed[1])}\n".encode() + printed[0] + printed[1])


def main():
    token = sys.argv[1]
    tool = Tool()
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    watched = [listener] + ([sys.stdin] if "--until-eof" in sys.argv else [])
    # Nobody asks how a connection's process ended.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        ready = select.select(watched, [], [])[0]
        if sys.stdin in ready:
            return
        connection, _ = listener.accept()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            listener.close()
            try:
                serve(tool, token, connection)
            finally:
                os._exit(0)
        connection.close()


if __name__ == "__main__":
    main()
