# SPDX-License-Identifier: Apache-2.0
"""What is published, as one uses it who has neither the sources nor Maven: started by scripts/test --release.

Runs pyspark --packages with released_session.py as what is typed, spark-submit --jars with the archive's jar, and the
archive's command line. Prints a line for each step; ends with an error at the first that fails.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

from steps import Failed, status_of

# The last line of a program that has come to its end: an interactive Python goes on after an error.
DONE = "released: done"


class User:
    def __init__(self, options):
        self.options = options
        self.place = pathlib.Path(options.place)
        self.logs = pathlib.Path(options.logs)
        self.archive = self.place / f"radosfs-{options.version}"
        self.logs.mkdir()

    def run(self):
        self.has_nothing()
        self.types_into_pyspark()
        self.has_a_repository_of_maven()
        self.submits_with_the_jar()
        self.looks_from_outside()

    def has_nothing(self):
        for hidden in self.options.hidden:
            if os.path.exists(hidden) and os.listdir(hidden):
                raise Failed(f"{hidden} can be seen")

    def types_into_pyspark(self):
        command = [f"{self.options.spark_home}/bin/pyspark", "--packages", f"io.radosfs:radosfs-spark:{self.options.version}"]
        command += ["--repositories", f"file://{self.place}/staging", *self.settings()]
        typed = (self.place / "released_session.py").read_text(encoding="utf-8")
        # -i: what Python reads from a pipe is not interactive by itself, and pyspark's session is made only where it is.
        self.call("pyspark", command, typed, PYSPARK_DRIVER_PYTHON_OPTS="-i")
        step("pyspark --packages: a table written, read, overwritten")

    def has_a_repository_of_maven(self):
        """With a POM and not its jar, as a build leaves it of versions that it has not chosen."""
        builder = self.place / f"builder-{self.logs.name}"
        mavens = builder / ".m2" / "repository"
        for pom in (self.place / "others").glob("**/*.pom"):
            copied = mavens / pom.relative_to(self.place / "others")
            copied.parent.mkdir(parents=True)
            copied.write_bytes(pom.read_bytes())
        command = [f"{self.options.spark_home}/bin/spark-submit", "--packages", f"io.radosfs:radosfs-spark:{self.options.version}"]
        command += ["--repositories", f"file://{self.place}/staging"]
        command += [*self.settings(), str(self.place / "released_reader.py"), self.options.uri]
        try:
            self.call("after-maven", command, SPARK_SUBMIT_OPTS=f"-Duser.home={builder}")
        except Failed as e:
            if "download failed: net.java.dev.jna#jna" not in str(e):
                raise
        else:
            raise Failed("Spark's resolver minds no POM without a jar: then committer/docs/releases.md need not speak of it")
        self.call("after-maven", command, SPARK_SUBMIT_OPTS=self.option_of_page(f"{self.place}/home-{self.logs.name}"))
        step("--packages beside a repository of Maven without a certain jar: fails, and with another user.home does not")

    def option_of_page(self, home):
        """What the page has before pyspark --packages, with this home."""
        page, section = "committer/docs/releases.md", "Machines that build with Maven"
        text = (self.place / pathlib.Path(page).name).read_text(encoding="utf-8").partition(section)[2]
        found = re.search(r"(?m)^    SPARK_SUBMIT_OPTS=(\S+)/tmp/spark-home pyspark --packages", text)
        if not found:
            raise Failed(f"{page} has no line that begins with SPARK_SUBMIT_OPTS=")
        return found.group(1) + home

    def submits_with_the_jar(self):
        command = [f"{self.options.spark_home}/bin/spark-submit", "--jars"]
        command += [str(self.archive / "spark" / f"radosfs-spark-{self.options.version}-all.jar"), *self.settings()]
        self.call("spark-submit", [*command, str(self.place / "released_reader.py"), self.options.uri])
        step("spark-submit --jars with the archive's jar: the table read")

    def looks_from_outside(self):
        radosfs = str(self.archive / "bin" / "radosfs")
        settings = [f"-Dfs.rados.ceph.conf={self.options.conf}", f"-Dfs.rados.ceph.user={self.options.user}"]
        for verb in (["fsck"], ["jobs", "list"], ["gc"]):
            self.call("radosfs", [radosfs, *verb, self.options.uri, *settings], done="")
        step("bin/radosfs of the archive: fsck, jobs list, gc")
        self.completes_what_is_typed()
        self.shares_classes(radosfs)

    def completes_what_is_typed(self):
        script = self.archive / "share" / "bash-completion" / "completions" / "radosfs"
        typed = f"source {script}; COMP_WORDS=(radosfs jobs li); COMP_CWORD=2; _complete_radosfs; echo offered: ${{COMPREPLY[*]}}"
        self.call("completion", ["bash", "-c", typed], done="offered: list\n")
        step("bash completes by the archive's script")

    def shares_classes(self, radosfs):
        cache = self.place / f"cache-{self.logs.name}"
        self.call("radosfs", [radosfs, "--version"], done="", RADOSFS_CACHE=str(cache))
        until = time.monotonic() + 60
        while not list(cache.glob("classes-*.jsa")):
            if time.monotonic() > until:
                raise Failed(f"the first run has left no archive of classes in {cache}")
            time.sleep(0.2)
        loaded = "-Xlog:class+load"
        shared = "io.radosfs.connector.cli.Radosfs source: shared objects file"
        self.call("radosfs", [radosfs, "--version"], done=shared, RADOSFS_CACHE=str(cache), RADOSFS_JAVA_OPTS=loaded)
        step("bin/radosfs of the archive: its second run shares the classes of the first")

    def settings(self):
        return [
            *("--conf", "spark.plugins=io.radosfs.RadosPlugin"),
            *("--conf", f"spark.hadoop.fs.rados.ceph.user={self.options.user}"),
            *("--conf", f"spark.hadoop.fs.rados.ceph.conf={self.options.conf}"),
            *("--conf", "spark.ui.enabled=false", "--master", "local[2]"),
        ]

    def call(self, name, command, typed="", done=DONE, **environment):
        environment = dict(os.environ, **environment)
        environment |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable, "RELEASED_URI": self.options.uri}
        # Java asks the system for the home, which may not know of this one.
        environment.setdefault("SPARK_SUBMIT_OPTS", f"-Duser.home={os.environ['HOME']}")
        # As if pip had installed it for the whole machine.
        environment["PYTHONPATH"] = str(pathlib.Path(self.options.spark_home).parent)
        # In Maven Central's place, of which Spark asks too: this test needs no network.
        environment["DEFAULT_ARTIFACT_REPOSITORY"] = f"file://{self.place}/others/"
        log = self.logs / f"{name}.log"
        with open(log, "a+", encoding="utf-8") as out:
            print("$", *command, file=out, flush=True)
            status = subprocess.run(
                command, input=typed, stdout=out, stderr=subprocess.STDOUT, env=environment, text=True, timeout=300, check=False
            ).returncode
            out.seek(0)
            printed = out.read()
        if status or done not in printed:
            end = "\n".join(printed.splitlines()[-30:])
            raise Failed(f"{' '.join(command)} ended with status {status} (log: {log}):\n{end}")


def step(text):
    print(f"  {text}", flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--place", required=True, help="folder with the staging repository and the unpacked archive")
    parser.add_argument("--version", required=True)
    parser.add_argument("--spark-home", required=True)
    parser.add_argument("--conf", required=True, help="the cluster's ceph.conf")
    parser.add_argument("--user", required=True)
    parser.add_argument("--uri", required=True, help="an empty file system, with a / at its end")
    parser.add_argument("--hidden", action="append", default=[], help="a folder that a user has not")
    parser.add_argument("--logs", required=True, help="folder for the logs, which is made")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(status_of(User(parse()).run))
