INSERT INTO analytics_actions (domain_id, kind, day, value, page, hits, visitors, sessions, exits, results, last_at)
SELECT $1, each.kind, a.day, a.value, a.page, a.hits, a.visitors, a.sessions, a.exits, a.results, a.last_at
FROM unnest(ARRAY[1, 2, 3, 4]::smallint[]) AS each (kind)
CROSS JOIN LATERAL analytics_action_days($1, $2, $3, NULL, each.kind) AS a
