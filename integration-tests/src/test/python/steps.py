# SPDX-License-Identifier: Apache-2.0
"""The end of a program that goes through steps: what failed, in a line, and a status. Of bare.py, released.py, suite.py."""

import subprocess


class Failed(Exception):
    """Why a step failed, with the log that has the rest if there is one."""

    def __init__(self, why, log=None):
        super().__init__(why if log is None else f"{why}\n    log: {log}")


def status_of(steps):
    """What the program ends with; the first step that fails is the last."""
    try:
        steps()
    except (Failed, subprocess.TimeoutExpired) as e:
        print(f"FAILED: {e}", flush=True)
        return 1
    return 0
