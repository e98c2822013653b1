# SPDX-License-Identifier: Apache-2.0
"""Asks a Prometheus each question of the Grafana dashboard while Spark writes and reads. Given to spark-submit by scripts/test --dashboard."""

import argparse
import json
import pathlib
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from pyspark import SparkConf
from pyspark.sql import SparkSession

from steps import Failed, status_of

MOST_SECONDS = 120
# What Grafana puts in place of its variables, for one that looks at the last minute.
VARIABLES = {"$instance": ".*", "$__range": "1m", "$__rate_interval": "20s"}


class Dashboard:
    def __init__(self, options):
        self.options = options
        self.work = pathlib.Path(options.work)
        port = free_port()
        self.address = f"127.0.0.1:{port}"

    def run(self):
        spark = SparkSession.builder.config(conf=self.settings()).getOrCreate()
        driver = urllib.parse.urlparse(spark.sparkContext.uiWebUrl).netloc
        prometheus = self.start_prometheus(driver)
        try:
            self.look(spark)
        finally:
            prometheus.terminate()
            prometheus.wait(timeout=30)
            spark.stop()

    def settings(self):
        """Those that the page on metrics tells to set."""
        page = pathlib.Path(self.options.page).read_text(encoding="utf-8")
        conf = SparkConf().setAppName("dashboard")
        told = re.findall(r"^ {4}(spark\.\S+) +(\S+)$", page, re.MULTILINE)
        if not any(name.startswith("spark.metrics.conf") for name, _ in told):
            raise Failed(f"{self.options.page} tells no settings of metrics: {told}")
        for name, value in told:
            conf.set(name, value)
        return conf

    def start_prometheus(self, driver):
        job = {"job_name": "spark", "metrics_path": "/metrics/prometheus/", "static_configs": [{"targets": [driver]}]}
        config = {"global": {"scrape_interval": "1s"}, "scrape_configs": [job]}
        file = self.work / "prometheus.yml"
        file.write_text(json.dumps(config), encoding="utf-8")  # JSON is YAML
        command = [
            self.options.prometheus,
            f"--config.file={file}",
            f"--web.listen-address={self.address}",
            f"--storage.tsdb.path={self.work / 'prometheus-data'}",
        ]
        with open(self.work / "prometheus.log", "w", encoding="utf-8") as log:
            return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)

    def look(self, spark):
        dashboard = json.loads(pathlib.Path(self.options.dashboard).read_text(encoding="utf-8"))
        targets = [(panel["title"], target["expr"]) for panel in dashboard["panels"] for target in panel.get("targets", [])]
        until = time.monotonic() + MOST_SECONDS
        while True:
            work(spark, self.options.uri)
            answers = {(title, expr): self.answer(expr) for title, expr in targets}
            unanswered = [f"{title}: {expr}" for (title, expr), answer in answers.items() if answer is None]
            if not unanswered:
                break
            if time.monotonic() > until:
                raise Failed("no number for\n  " + "\n  ".join(unanswered), self.work / "prometheus.log")
        for (title, expr), answer in answers.items():
            if title in {"Jobs committed", "Files made visible", "Bytes made visible", "Tasks committed", "Throughput"} and answer <= 0:
                raise Failed(f"{title} is {answer}: {expr}")
        instances = self.instances(dashboard)
        if len(instances) != 1:
            raise Failed(f"the dashboard's drivers are {instances}, not one")
        version = self.ask("status/buildinfo")["version"]
        print(f"  Prometheus {version} has a number for each of {len(answers)} queries of {len({title for title, _ in answers})} panels.", flush=True)

    def answer(self, expr):
        """The sum of the series; None without one, or where one is no number."""
        for name, value in VARIABLES.items():
            expr = expr.replace(name, value)
        values = [float(series["value"][1]) for series in self.ask("query", query=expr)["result"]]
        total = sum(values)
        return total if values and total == total else None

    def instances(self, dashboard):
        """The values of the variable by which a driver is chosen."""
        query = next(v["query"]["query"] for v in dashboard["templating"]["list"] if v["name"] == "instance")
        metric, label = re.fullmatch(r"label_values\((\w+), (\w+)\)", query).groups()
        return self.ask(f"label/{label}/values", **{"match[]": metric})

    def ask(self, what, **arguments):
        url = f"http://{self.address}/api/v1/{what}?{urllib.parse.urlencode(arguments)}"
        until = time.monotonic() + MOST_SECONDS
        while True:
            try:
                with urllib.request.urlopen(url, timeout=10) as answer:
                    return json.load(answer)["data"]
            except urllib.error.HTTPError as e:
                raise Failed(f"Prometheus refuses {arguments or what}: {e.read().decode()}", self.work / "prometheus.log") from e
            except OSError as e:
                # It is still starting.
                if time.monotonic() > until:
                    raise Failed(f"no Prometheus at {self.address}: {e}", self.work / "prometheus.log") from e
                time.sleep(0.5)


def work(spark, uri):
    """Some seconds of what the dashboard shows: of executors, and of the driver, which lists."""
    for _ in range(4):
        spark.range(20_000).repartition(4).write.mode("overwrite").parquet(uri)
        spark.read.parquet(uri).selectExpr("sum(id)").collect()
        time.sleep(1)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("uri", "prometheus", "page", "dashboard", "work"):
        parser.add_argument(f"--{name}", required=True)
    return status_of(Dashboard(parser.parse_args()).run)


if __name__ == "__main__":
    sys.exit(main())
