-- A table in rados://, partitioned by a column.
CREATE TABLE readings (sensor STRING, celsius DOUBLE, day DATE)
USING parquet
PARTITIONED BY (day)
LOCATION 'rados://radosfs/readings';

INSERT INTO readings VALUES
  ('roof', 11.5, DATE '2026-11-20'),
  ('cellar', 9.0, DATE '2026-11-20'),
  ('roof', 12.5, DATE '2026-11-21');

-- The old rows of that day stay readable until the new ones are there.
INSERT OVERWRITE readings PARTITION (day = DATE '2026-11-21') VALUES ('roof', 12.0);

SELECT day, avg(celsius) FROM readings GROUP BY day ORDER BY day;
