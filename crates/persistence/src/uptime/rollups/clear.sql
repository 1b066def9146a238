WITH distributions AS (
    DELETE FROM uptime_distributions AS d
    USING unnest($2) AS rolled (grain)
    WHERE d.domain_id = $1 AND d.grain = rolled.grain
        AND d.starts_at >= date_trunc(rolled.grain, $3, 'UTC') AND d.starts_at < $4
)
DELETE FROM uptime_rollups AS u
USING unnest($2) AS rolled (grain)
WHERE u.domain_id = $1 AND u.grain = rolled.grain
    AND u.starts_at >= date_trunc(rolled.grain, $3, 'UTC') AND u.starts_at < $4
