# SPDX-License-Identifier: Apache-2.0
"""The smoke suite: one release of Spark, as PyPI distributes it, on one Ceph cluster, as a user would run both.

Runs writing.py, killed.py (twice, killed with SIGKILL) and reading.py by spark-submit, and the command line of radosfs
between them. Prints a line for each step, and "OK" at the end; or "FAILED", why, and where the log is. Started by
scripts/test --matrix; needs nothing but Python's own library.
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import resource
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time

from steps import Failed, status_of

HERE = pathlib.Path(__file__).resolve().parent

# Spark prints it just before it calls the protocol's commitJob.
COMMIT_BEGINS = "Start to commit write Job"

# The committer's own line, after it.
COMMIT_ENDED = "Committed job "

# Of native libraries and of sun.misc.Unsafe.
FIRST_JAVA_THAT_WARNS = 24

# Of the lines of a log, those that tell a reader most.
SHOWN = 12

# How the lines of Spark's log begin: with date and time.
LOGGED = re.compile(r"\d\d/\d\d/\d\d \d\d:")


class Process:
    """A process in a session of its own, whose output is watched and goes to a log."""

    def __init__(self, command, environment, log, seconds):
        self.log = log
        self.lines = []
        self.times = []
        self._log = open(log, "w", encoding="utf-8")
        self._changed = threading.Condition()
        self._process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        self.deadline = time.monotonic() + seconds
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            with self._changed:
                self.lines.append(line.rstrip("\n"))
                self.times.append(time.monotonic())
                self._changed.notify_all()
            self._log.write(line)
            self._log.flush()
        with self._changed:
            self.lines.append(None)
            self._changed.notify_all()

    def await_line(self, text, after=0):
        """Waits for a line with this text; returns the number of lines until then, or None if the process ended first."""
        at = after
        with self._changed:
            while True:
                while at < len(self.lines):
                    if self.lines[at] is None:
                        return None
                    if text in self.lines[at]:
                        return at + 1
                    at += 1
                if not self._changed.wait(self.deadline - time.monotonic()):
                    self.kill()
                    raise Failed(f"did not print '{text}' in time", self.log)

    def kill(self):
        """Kills it as it stands, with all that it has started in its session."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()

    def end(self):
        """Waits until it has ended by itself, and returns its status."""
        try:
            status = self._process.wait(max(0.0, self.deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.kill()
            raise Failed("did not end in time, and was killed", self.log) from None
        finally:
            self._reader.join(10)
            self._log.close()
        return status

    def printed(self):
        return [line for line in self.lines if line is not None]


class Suite:
    def __init__(self, options):
        self.options = options
        self.logs = pathlib.Path(options.logs).resolve()
        self.logs.mkdir(parents=True, exist_ok=True)
        # Spark splits this name at commas.
        self.local = self.logs / "local"
        self.began = self.told = time.monotonic()
        self.process = None
        # Of a commit's time, that after which the driver is killed.
        self.share = 0.3

    def run(self):
        self.submit_whole("writing.py")
        self.starts_without_the_jar()
        self.starts_without_warnings()
        self.kill_in_the_job()
        self.recover("killed-job", {"RUNNING"})
        while not self.kill_in_the_commit():
            self.step("its commit was over before the kill: another one is killed sooner")
        self.recover("killed-commit", {"RUNNING", "COMMITTING", "COMMITTED"})
        self.submit_whole("reading.py", delta=True)
        if self.options.executors:
            self.executors_without_a_key()
        self.radosfs("gc", "--older-than", "0s", "--replaced-now", self.options.uri)
        if jobs := self.jobs(self.options.uri):
            raise Failed(f"jobs are left: {jobs}", self.logs)
        told = self.radosfs("fsck", "--data", self.options.uri)
        self.step("gc; no job is left; fsck --data: " + told.strip().splitlines()[-1])

    def step(self, text):
        now = time.monotonic()
        print(f"  {now - self.told:5.1f} s  {text}", flush=True)
        self.told = now

    def submit(self, program, *arguments, delta=False, master="local[2]", others=None, home=None):
        settings = {
            "spark.plugins": "io.radosfs.RadosPlugin",
            "spark.hadoop.fs.rados.ceph.conf": self.options.conf,
            "spark.hadoop.fs.rados.ceph.user": self.options.user,
            # Short programs: most of the time would go into compiling what runs but once.
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.session.timeZone": "UTC",
            "spark.sql.warehouse.dir": str(self.logs / "warehouse"),
            "spark.local.dir": str(self.local),
        }
        settings |= others or {}
        jars = [self.options.jar]
        if delta:
            jars += self.options.delta.split(",")
            # Fifty by default, for tables of any size.
            settings["spark.databricks.delta.snapshotPartitions"] = "2"
            settings["spark.sql.extensions"] = "io.delta.sql.DeltaSparkSessionExtension"
            settings["spark.sql.catalog.spark_catalog"] = "org.apache.spark.sql.delta.catalog.DeltaCatalog"
        command = [f"{self.options.spark_home}/bin/spark-submit", "--master", master, "--driver-memory", "1g"]
        command += ["--jars", ",".join(jars)]
        for key, value in settings.items():
            command += ["--conf", f"{key}={value}"]
        command += [str(HERE / program), self.options.uri, *arguments]
        log = self.logs / f"{'-'.join([pathlib.Path(program).stem, *arguments])}.log"
        self.process = Process(command, self.environment(home or self.options.spark_home), log, self.options.seconds)
        return self.process

    def environment(self, spark_home, **others):
        return dict(
            os.environ,
            SPARK_HOME=str(spark_home),
            JAVA_HOME=self.options.java_home,
            PYSPARK_PYTHON=sys.executable,
            PYTHONDONTWRITEBYTECODE="1",
            SPARK_LOCAL_IP="127.0.0.1",
            TZ="UTC",
            CEPH_KEYRING=self.options.keyring,
            **others,
        )

    def submit_whole(self, program, delta=False):
        process = self.submit(program, delta=delta)
        at = 0
        while (at := process.await_line("STEP ", at)) is not None:
            self.step(process.lines[at - 1].split("STEP ", 1)[1])
        if status := process.end():
            raise Failed(f"{program} ended with status {status}: {why(process.printed())}", process.log)

    def executors_without_a_key(self):
        """Two executors, as processes, whose machine has no key: it comes from the driver, if nobody can read it."""
        settings = {
            "spark.executorEnv.CEPH_KEYRING": str(self.logs / "no-keyring"),
            "spark.executor.memory": "512m",
            "spark.hadoop.fs.rados.plugin.check": self.options.uri,
            "spark.deploy.maxExecutorRetries": "1",
        }
        # Spark puts the executors' folders into its home.
        home = self.logs / "spark-home"
        home.mkdir()
        for entry in pathlib.Path(self.options.spark_home).iterdir():
            (home / entry.name).symlink_to(entry)
        where = {"master": "local-cluster[2,1,1024]", "home": home}
        process = self.submit("executors.py", "open", others=settings, **where)
        refused = process.await_line("The driver has sent no key: Spark's processes do not both ask each other")
        process.kill()
        process.end()
        if refused is None:
            raise Failed(f"no word of the key that was not sent: {why(process.printed())}", process.log)
        self.step("two executors without a key: refused, as others could ask and read")
        settings |= {
            "spark.authenticate": "true",
            "spark.authenticate.secret": secrets.token_hex(16),
            "spark.network.crypto.enabled": "true",
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": str(self.logs / "events"),
            "spark.eventLog.compress": "false",
        }
        (self.logs / "events").mkdir()
        process = self.submit("executors.py", "encrypted", others=settings, **where)
        if status := process.end():
            raise Failed(f"executors.py ended with status {status}: {why(process.printed())}", process.log)
        key = re.search(r"key\s*=\s*(\S+)", pathlib.Path(self.options.keyring).read_text(encoding="utf-8")).group(1)
        # Logs of the driver and the executors, Spark's event log, what the executors kept.
        files = [file for file in self.logs.rglob("*") if file.is_file()]
        told = [str(file) for file in files if key.encode() in file.read_bytes()]
        if told or not any("events" in str(file) for file in files):
            raise Failed(f"the key is in {told}, of {len(files)} files", process.log)
        self.step(f"two executors without a key: the driver sends it, and it is in none of {len(files)} files")

    def kill_in_the_job(self):
        process = self.submit("killed.py", "job")
        self.kill(process, process.await_line("READY"), "a driver and its stream are killed with SIGKILL in the middle of the job")

    def kill_in_the_commit(self):
        """Kills a driver after a part of the time that its first commit took; returns if it was in its second one."""
        process = self.submit("killed.py", "commit")
        began = process.await_line(COMMIT_BEGINS)
        ended = began and process.await_line(COMMIT_ENDED, began)
        again = ended and process.await_line(COMMIT_BEGINS, ended)
        if again:
            time.sleep((process.times[ended - 1] - process.times[began - 1]) * self.share)
            self.share = self.share / 3 if self.share > 0.01 else 0
        self.kill(process, again, "a driver is killed with SIGKILL in the commit of its job")
        return not any(COMMIT_ENDED in line for line in process.printed()[again:])

    def kill(self, process, reached, text):
        if reached is None:
            raise Failed(f"the driver ended by itself: {why(process.printed())}", process.log)
        process.kill()
        status = process.end()
        if status != -signal.SIGKILL:
            raise Failed(f"the driver was to be killed, and ended with {status}", process.log)
        self.step(text)

    def recover(self, table, states):
        """By the commands that the documentation names for a driver that was killed."""
        uri = self.options.uri + table
        jobs = self.jobs(uri)
        for job in jobs:
            if job["state"] not in states:
                raise Failed(f"the job of {uri} is {job['state']}", self.logs)
            self.radosfs("jobs", "recover", "--force", uri, job["id"])
        if not jobs and table == "killed-job":
            raise Failed(f"no job is listed on {uri}, whose driver was killed", self.logs)
        told = ", ".join(job["state"] for job in jobs) or "committed already, and nothing left of it"
        if left := self.jobs(uri):
            raise Failed(f"after jobs recover there is still {left}", self.logs)
        self.step(f"radosfs jobs list, recover: it was {told}")

    def jobs(self, uri):
        """The jobs of which something is left, each an object."""
        return [json.loads(line) for line in self.radosfs("jobs", "list", "--json", uri).splitlines()]

    def starts_without_the_jar(self):
        """PySpark gives up at once. It looks for a commit protocol's class again and again, so README never names that one."""
        libraries = pathlib.Path(self.options.spark_home, "python", "lib").glob("*.zip")
        environment = self.environment(self.options.spark_home, PYTHONPATH=os.pathsep.join(map(str, libraries)))
        command = [sys.executable, str(HERE / "wrong_jar.py"), "/no/such.jar"]
        self.process = Process(command, environment, self.logs / "wrong_jar.log", self.options.seconds)
        status = self.process.end()
        told = "\n".join(self.process.printed())
        missing = [text for text in ("/no/such.jar", "ClassNotFoundException: io.radosfs.RadosPlugin") if text not in told]
        if not status or missing:
            raise Failed(f"status {status} with a wrong path of the jar; not said: {missing}", self.process.log)
        self.step("python with a wrong path of the jar: an error that names it")

    def starts_without_warnings(self):
        """
        From JDK 24 on, Java warns of what JNA and Hadoop do, unless the start of the command line has the options
        against it. Hadoop below 3.5.0, which the command line has, does not run there: so it gets Spark's.
        """
        java = f"{self.options.java_home}/bin/java"
        told = subprocess.run([java, "-version"], capture_output=True, text=True, check=True).stderr.splitlines()[0]
        if int(re.search(r'"(\d+)', told).group(1)) < FIRST_JAVA_THAT_WARNS:
            return
        try:
            self.started(self.options.radosfs, "ls", self.options.uri, java_home=self.options.java_home)
        except Failed as e:
            if "set JAVA_HOME to a JDK 17" not in str(e):
                raise
        else:
            raise Failed("Hadoop runs on this Java: then radosfs need not tell of it, nor command-line.md")
        folder = self.logs / "command-line"
        for name in ("bin", "lib"):
            (folder / name).mkdir(parents=True)
        shutil.copy(self.options.radosfs, folder / "bin")
        built = pathlib.Path(self.options.radosfs).resolve().parent.parent / "connector/target"
        jars = [jar for jar in built.glob("command-line/*.jar") if not jar.name.startswith("hadoop-")]
        jars += [jar for jar in built.glob("radosfs-connector-*.jar") if not jar.name.endswith("-tests.jar")]
        jars += pathlib.Path(self.options.spark_home, "jars").glob("hadoop-client-*.jar")
        for jar in jars:
            shutil.copy(jar, folder / "lib")
        done = self.started(str(folder / "bin/radosfs"), "ls", self.options.uri, java_home=self.options.java_home)
        if not done.stdout or "WARNING" in done.stderr:
            raise Failed(f"radosfs ls with {told}: {done.stdout}{done.stderr.strip()}", self.logs / "radosfs.log")
        shutil.rmtree(folder)
        self.step(f"radosfs ls with {told}: no warning")

    def radosfs(self, *arguments):
        return self.started(self.options.radosfs, *arguments, java_home=self.options.cli_java_home).stdout

    def started(self, program, *arguments, java_home):
        command = [program, *arguments]
        command += [f"-Dfs.rados.ceph.conf={self.options.conf}", f"-Dfs.rados.ceph.user={self.options.user}"]
        environment = dict(os.environ, JAVA_HOME=java_home)
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
        )
        log = self.logs / "radosfs.log"
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"$ {' '.join(command)}\n{done.stdout}{done.stderr}status {done.returncode}\n")
        if done.returncode:
            told = (done.stdout + done.stderr).strip()
            raise Failed(f"radosfs {' '.join(arguments)} ended with status {done.returncode}: {told}", log)
        return done


def why(lines):
    """The end of a traceback, if there is one, else the last lines."""
    for number in range(len(lines) - 1, -1, -1):
        if lines[number].startswith("Traceback (most recent call last)"):
            ends = itertools.dropwhile(lambda line: line.startswith(" "), lines[number + 1 :])
            ends = itertools.takewhile(lambda line: not LOGGED.match(line), ends)
            return "\n    ".join(itertools.islice(ends, SHOWN))
    return "\n    ".join(lines[-SHOWN:])


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spark-home", required=True)
    parser.add_argument("--java-home", required=True, help="Spark's")
    parser.add_argument("--cli-java-home", required=True, help="that of the command line of radosfs")
    parser.add_argument("--jar", required=True, help="the one jar of radosfs")
    parser.add_argument("--delta", required=True, help="Delta's jars, by commas")
    parser.add_argument("--radosfs", required=True, help="scripts/radosfs")
    parser.add_argument("--conf", required=True, help="the cluster's ceph.conf")
    parser.add_argument("--user", required=True)
    parser.add_argument("--keyring", required=True, help="the file with the user's key")
    parser.add_argument("--executors", action="store_true", help="with executors as processes of their own too")
    parser.add_argument("--uri", required=True, help="an empty file system, with a / at its end")
    parser.add_argument("--logs", required=True, help="folder for the logs")
    parser.add_argument("--seconds", type=int, default=600, help="most for one program")
    return parser.parse_args()


def whole(suite):
    suite.run()
    shutil.rmtree(suite.local, ignore_errors=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = time.monotonic() - suite.began
    print(f"OK in {seconds:.0f} s, with {used.ru_utime + used.ru_stime:.0f} s of the processor", flush=True)


def main():
    suite = Suite(parse())
    try:
        return status_of(lambda: whole(suite))
    finally:
        if suite.process is not None:
            suite.process.kill()


def ended(*_):
    raise Failed("the suite was ended from outside", "none")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, ended)
    sys.exit(main())
