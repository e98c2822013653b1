# SPDX-License-Identifier: Apache-2.0
"""The README.md on a bare machine, by its own lines: started by scripts/test --bare.

The machine is a root folder with nothing but a minimal Debian, ceph.conf, and in /srv what comes from elsewhere: a
repository in Maven Central's place, and the archive of radosfs. Each step looks at what it was told, and at what a table
has. Prints a line for each step and the minutes of all; ends with an error at the first step that fails.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

from steps import Failed, status_of
from suite import Process

TABLE, RESCUED = "rados://mypool/numbers", "rados://mypool/rescued"

# Of one command: installing takes longest.
SECONDS = 900

# The last line of what is typed: an interactive Python goes on after an error.
DONE = "bare: done"

SUMS = """
def sums(uri): return tuple(spark.read.parquet(uri).selectExpr("count(*)", "sum(id)").first())

"""
WRITTEN, MISTAKEN = (1000, 499500), (7, 21)


def expect(uri, sums):
    return f"print('{DONE}' if sums('{uri}') == {sums} else ('wrong', sums('{uri}')))\n"


class Machine:
    def __init__(self, options):
        self.options = options
        self.root = pathlib.Path(options.root)
        self.logs = pathlib.Path(options.logs)
        self.readme = pathlib.Path(options.readme).read_text(encoding="utf-8")
        self.began = self.told = time.monotonic()

    def run(self):
        self.has_nothing()
        self.installs()
        self.makes_a_user()
        self.asks_the_doctor()
        self.writes_and_reads()
        self.overwrites_by_mistake()
        self.restores()
        self.kills_a_driver()
        self.recovers()
        self.is_clean()
        print(f"From a bare machine to here: {(time.monotonic() - self.began) / 60:.1f} minutes.", flush=True)

    def has_nothing(self):
        for command in ("java", "python3", "spark-submit", "radosfs", "mvn", "git", "rados"):
            if self.call("bare", ["sh", "-c", f"command -v {command} || echo none"]).strip() != "none":
                raise Failed(f"the machine has {command} already", self.logs)
        if list(self.root.glob("usr/lib/*/librados*")) or list(self.root.glob("root/.[mi]*")):
            raise Failed("the machine has librados, or a repository of Maven or Ivy", self.logs)
        self.step("a machine without Java, Python, librados, Spark, sources")

    def installs(self):
        for begins in ("apt-get update && apt-get install", "python3 -m venv"):
            line = self.line_of_readme(begins).strip()
            self.call("install", ["bash", "-c", line])
            self.step("README: " + line)
        self.call("install", ["tar", "-C", "/opt", "-xzf", f"/srv/radosfs-{self.options.version}.tar.gz"])

    def makes_a_user(self):
        """On the cluster's side; its key is written to where the README says, on the machine."""
        command = shlex.split(self.line_of_readme("ceph auth get-or-create client.spark"))
        keyring = f"{self.root}{command[-1]}"
        self.call("ceph", [self.options.ceph_dev, "exec", "--dir", self.options.cluster, "--", *command[:-1], keyring], inside=False)
        if "key = " not in pathlib.Path(keyring).read_text(encoding="utf-8"):
            raise Failed(f"there is no key in {keyring}", self.logs)
        self.step("README: ceph auth get-or-create client.spark")

    def asks_the_doctor(self):
        results = [json.loads(line) for line in self.radosfs("doctor", "--json", "rados://mypool/").splitlines()]
        wrong = [result for result in results if result["result"] == "FAILED"]
        if wrong or len(results) < 5:
            raise Failed(f"radosfs doctor says {wrong or results}", self.logs)
        self.step(f"radosfs doctor: {len(results)} lines, none is FAILED")

    def writes_and_reads(self):
        self.pyspark("written", self.line_of_readme("spark.range(1000)") + SUMS + expect(TABLE, WRITTEN))
        self.step(f"README: pyspark --packages, a table written and read: {WRITTEN[0]} rows")

    def overwrites_by_mistake(self):
        mistake = f"spark.range({MISTAKEN[0]}).write.mode('overwrite').parquet('{TABLE}')\n"
        self.pyspark("overwritten", mistake + SUMS + expect(TABLE, MISTAKEN))
        self.step(f"overwritten by mistake: {MISTAKEN[0]} rows are left")

    def restores(self):
        told = self.radosfs("restore", TABLE, "--to", RESCUED)
        if not re.search(r"\b[1-9]\d* restored, 0 failed", told):
            raise Failed(f"radosfs restore says: {told}", self.logs)
        typed = expect(RESCUED, WRITTEN).replace(DONE, "rescued") + expect(TABLE, MISTAKEN)
        printed = self.pyspark("restored", SUMS + typed)
        if not any(line.endswith("rescued") for line in printed.splitlines()):
            raise Failed(f"{RESCUED} has not the rows that were overwritten", self.logs)
        self.step(f"radosfs restore {TABLE} --to {RESCUED}: {told.strip().splitlines()[-1]}")

    def kills_a_driver(self):
        """In an overwrite of which one task is done, and the other does not end."""
        slow = "IF(id < 5, id, reflect('java.lang.Thread', 'sleep', 600000L))"
        typed = f"""
import threading, time
def overwrite(): spark.range(0, 10, 1, 2).selectExpr("{slow} AS slept", "id").write.mode("overwrite").parquet("{TABLE}")

threading.Thread(target=overwrite, daemon=True).start()
def done(): return sum(s.numCompletedTasks for s in map(spark.sparkContext.statusTracker().getStageInfo, (0,)) if s)

while done() < 1: time.sleep(0.1)

print("READY" + ":", flush=True)
time.sleep(600)
"""
        log = self.logs / "killed.log"
        script = self.root / "srv" / "killed.py"
        session = "from pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\n"
        script.write_text(session + typed, encoding="utf-8")
        command = [word.replace("bin/pyspark", "bin/spark-submit") for word in self.pyspark_of_readme()]
        driver = Process(self.within([*command, "/srv/killed.py"]), self.environment(), log, SECONDS)
        if driver.await_line("READY:") is None:
            raise Failed("the driver that was to be killed ended by itself", log)
        driver.kill()
        if (status := driver.end()) != -signal.SIGKILL:
            raise Failed(f"the driver was to be killed, and ended with {status}", log)
        self.step("a driver killed with SIGKILL in its overwrite")

    def recovers(self):
        jobs = self.jobs()
        if [job["state"] for job in jobs] != ["RUNNING"] or jobs[0]["tasksCommitted"] != 1:
            raise Failed(f"radosfs jobs list shows {jobs}", self.logs)
        self.radosfs("jobs", "recover", "--force", TABLE, jobs[0]["id"])
        if left := self.jobs():
            raise Failed(f"after radosfs jobs recover there is still {left}", self.logs)
        self.pyspark("recovered", SUMS + expect(TABLE, MISTAKEN))
        self.step("radosfs jobs list shows it, jobs recover ends it; the table is as before")

    def is_clean(self):
        told = self.radosfs("fsck", "--data", "rados://mypool/").strip().splitlines()[-1]
        if " 0 wrong" not in told:
            raise Failed(f"radosfs fsck says: {told}", self.logs)
        self.step(f"radosfs fsck --data: {told}")

    # --- what it does these with ---

    def line_of_readme(self, begins):
        """A command of the README, which may go on in further lines."""
        found = re.search(rf"(?m)^ *({re.escape(begins)}(?:.*\\\n)*.*)$", self.readme)
        if not found:
            raise Failed(f"the README has no line that begins with {begins}", self.options.readme)
        return found.group(1).replace("\\\n", " ") + "\n"

    def pyspark_of_readme(self):
        command = shlex.split(self.line_of_readme("pyspark --packages"))
        coordinates = f"io.radosfs:radosfs-spark:{self.options.version}"
        if coordinates not in command:
            raise Failed(f"the README does not name {coordinates}: {command}", self.options.readme)
        return [f"/root/spark/bin/{command[0]}", *command[1:]]

    def pyspark(self, name, typed):
        # -i: what Python reads from a pipe is not interactive by itself, and pyspark's session is made only where it is.
        printed = self.call(name, self.pyspark_of_readme(), typed=typed, PYSPARK_DRIVER_PYTHON_OPTS="-i")
        if not any(line.endswith(DONE) for line in printed.splitlines()):
            raise Failed("what was typed into pyspark did not come to its end:\n" + printed[-3000:], self.logs / f"{name}.log")
        return printed

    def jobs(self):
        return [json.loads(line) for line in self.radosfs("jobs", "list", "--json", TABLE).splitlines()]

    def radosfs(self, *arguments):
        program = f"/opt/radosfs-{self.options.version}/bin/radosfs"
        return self.call("radosfs", [program, *arguments, "-Dfs.rados.ceph.user=client.spark"])

    def within(self, command):
        return ["chroot", str(self.root), *command]

    def environment(self, **others):
        """Nothing of this machine's, but how pip is to ask for packages."""
        kept = {key: value for key, value in os.environ.items() if key.startswith("PIP_") and key != "PIP_FIND_LINKS"}
        # As in the shell in which the README's line has activated this Python.
        kept |= {"PATH": "/root/spark/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8"}
        # Not published yet: in Maven Central's place, of which Spark asks.
        kept |= {"DEFAULT_ARTIFACT_REPOSITORY": "file:///srv/central/", "DEBIAN_FRONTEND": "noninteractive"}
        return kept | {"SPARK_LOCAL_IP": "127.0.0.1"} | others

    def call(self, name, command, typed="", inside=True, **others):
        """What it printed to its standard output; an error if it failed."""
        log = self.logs / f"{name}.log"
        with open(log, "a", encoding="utf-8") as out:
            print("$", shlex.join(command), file=out, flush=True)
            environment = self.environment(**others) if inside else os.environ
            done = subprocess.run(
                self.within(command) if inside else command,
                input=typed,
                stdout=subprocess.PIPE,
                stderr=out,
                env=environment,
                text=True,
                timeout=SECONDS,
                check=False,
            )
            out.write(done.stdout)
        if done.returncode:
            raise Failed(f"{shlex.join(command)} ended with status {done.returncode}:\n" + log.read_text(encoding="utf-8")[-3000:], log)
        return done.stdout

    def step(self, text):
        now = time.monotonic()
        print(f"  {now - self.told:5.1f} s  {text}", flush=True)
        self.told = now


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", required=True, help="the machine's folder")
    parser.add_argument("--readme", required=True)
    parser.add_argument("--ceph-dev", required=True, help="scripts/ceph-dev")
    parser.add_argument("--cluster", required=True, help="the cluster's folder, with a pool mypool and no client.spark")
    parser.add_argument("--version", required=True)
    parser.add_argument("--logs", required=True)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(status_of(Machine(parse()).run))
