-- All that is stored of the property, as one would store the upstream's answers: in one table, with texts.
CREATE TABLE bench_plain (
    property text NOT NULL,
    date date NOT NULL,
    query text,
    page text,
    appearance text,
    country text,
    device smallint,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL
);
INSERT INTO bench_plain
SELECT
    'sc-domain:site-0.example', r.date, q.value, p.value, a.value, r.country, r.device, r.clicks, r.impressions, r.position_sum
FROM (
    SELECT
        date, NULL::bigint AS query_id, NULL::bigint AS page_id, NULL::bigint AS appearance_id, country, device, clicks, impressions,
        position_sum
    FROM search_places
    UNION ALL
    SELECT date, query_id, NULL, NULL, country, device, clicks, impressions, position_sum FROM search_queries
    UNION ALL
    SELECT date, NULL, page_id, NULL, country, device, clicks, impressions, position_sum FROM search_pages
    UNION ALL
    SELECT date, query_id, page_id, NULL, country, device, clicks, impressions, position_sum FROM search_pairs
    UNION ALL
    SELECT date, NULL, page_id, appearance_id, NULL, NULL, clicks, impressions, position_sum FROM search_appearances
) AS r
LEFT JOIN search_values AS q ON q.id = r.query_id
LEFT JOIN search_values AS p ON p.id = r.page_id
LEFT JOIN search_values AS a ON a.id = r.appearance_id
-- As it would come in: day after day.
ORDER BY r.date;
CREATE INDEX bench_plain_idx ON bench_plain (property, date);

-- The better base: the rows by query alone.
CREATE TABLE bench_plain_queries AS
SELECT * FROM bench_plain WHERE query IS NOT NULL AND page IS NULL ORDER BY date;
CREATE INDEX bench_plain_queries_idx ON bench_plain_queries (property, date)
