-- As the primary keys have them.
WITH cleared (grain) AS (
    VALUES ('hour'), ('day'), ('month'), ('quarter')
), distributions AS (
    DELETE FROM uptime_distributions AS d
    USING cleared, unnest(ARRAY['response', 'dns', 'connect', 'tls', 'ttfb', 'download']) AS timed (measure)
    WHERE d.domain_id = $1 AND d.grain = cleared.grain AND d.measure = timed.measure
        AND d.starts_at >= date_trunc(cleared.grain, $2, 'UTC') AND d.starts_at < $3
)
DELETE FROM uptime_rollups AS u
USING cleared
WHERE u.domain_id = $1 AND u.grain = cleared.grain
    AND u.starts_at >= date_trunc(cleared.grain, $2, 'UTC') AND u.starts_at < $3
