INSERT INTO metric_events (domain_id, module, metric, at, context)
SELECT s.domain_id, e.module, e.metric, now(), '{}'
FROM bench_sites AS s
CROSS JOIN unnest($1, $2) AS e (module, metric)
CROSS JOIN generate_series(1, 2)
WHERE s.has_events
