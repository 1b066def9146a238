CREATE INDEX bench_plain_idx ON bench_plain (property, date);

-- The better base: the rows by query alone.
CREATE TABLE bench_plain_queries AS
SELECT * FROM bench_plain WHERE query IS NOT NULL AND page IS NULL ORDER BY date;
CREATE INDEX bench_plain_queries_idx ON bench_plain_queries (property, date)
