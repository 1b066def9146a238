-- The primary key has them domain by domain. The limit within keeps the planner from comparing all days with all domains instead.
DELETE FROM rum_daily
WHERE ctid = ANY (ARRAY(
    SELECT old.ctid
    FROM rum_progress AS p
    CROSS JOIN LATERAL (
        SELECT d.ctid
        FROM rum_daily AS d
        WHERE d.domain_id = p.domain_id AND d.day < (day_before($1, $2) AT TIME ZONE 'UTC')::date
        LIMIT 50000
    ) AS old
    LIMIT 50000
))
