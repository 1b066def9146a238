WITH claimed AS MATERIALIZED (
    SELECT domain_id
    FROM uptime_schedules
    WHERE region = $1 AND domain_id = ANY($2) AND leased_until IS NOT NULL
    -- What somebody else holds is being completed, or was claimed by them when the lease ended.
    FOR UPDATE SKIP LOCKED
)
UPDATE uptime_schedules AS s
SET leased_until = NULL
FROM claimed
WHERE s.domain_id = claimed.domain_id AND s.region = $1
