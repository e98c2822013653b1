# SPDX-License-Identifier: Apache-2.0
"""The rows of the smoke suite's tables: how Spark makes them, and what each of them must be when it is read back.

The two are written apart on purpose: what is expected is reckoned in Python, and never read from Spark.
"""

from datetime import date, datetime, timedelta
from decimal import Decimal

PARTS = 4

COLUMNS = [
    "id",
    "lot",
    "IF(id % 7 = 0, NULL, concat('größe ', id)) AS text",
    "CAST(id * 1.25 AS DECIMAL(12, 2)) AS amount",
    "id / 8D AS share",
    "date_add(DATE'2024-02-27', CAST(id % 5 AS INT)) AS day",
    "timestamp_seconds(1700000000 + id * 3600) AS time",
    "array(CAST(id AS STRING), lot) AS tags",
    "CAST(concat('b', id) AS BINARY) AS raw",
    f"CAST(id % {PARTS} AS INT) AS part",
]


def frame(spark, ids, lot, files=2):
    """The rows of these ids, in so many files (in each partition, if the table has any)."""
    numbers = spark.range(ids.start, ids.stop, ids.step, files)
    return numbers.selectExpr("id", f"'{lot}' AS lot").selectExpr(*COLUMNS)


def expected(ids, lot):
    return [
        (
            i,
            lot,
            None if i % 7 == 0 else f"größe {i}",
            Decimal(i * 125).scaleb(-2),
            i / 8,
            date(2024, 2, 27) + timedelta(days=i % 5),
            datetime(2023, 11, 14, 22, 13, 20) + timedelta(hours=i),
            [str(i), lot],
            f"b{i}".encode(),
            i % PARTS,
        )
        for i in ids
    ]


def read(spark, form, uri):
    """All rows of a table as they are stored, in ascending order."""
    table = spark.read.format(form).load(uri)
    names = [column.split(" AS ")[-1] for column in COLUMNS]
    return sorted(
        tuple(bytes(value) if isinstance(value, bytearray) else value for value in row)
        for row in table.select(names).collect()
    )


def check(spark, form, uri, *parts):
    """Fails unless the table has exactly these rows; a part is of expected()."""
    found = read(spark, form, uri)
    wanted = sorted(row for part in parts for row in part)
    for number, (one, other) in enumerate(zip(found, wanted)):
        if one != other:
            raise AssertionError(f"{uri}: row {number} is {one}, and not {other}")
    if len(found) != len(wanted):
        raise AssertionError(f"{uri}: {len(found)} rows, and not {len(wanted)}")
    return len(found)


def step(text):
    """Tells the suite, which reads what its programs print."""
    print(f"STEP {text}", flush=True)
