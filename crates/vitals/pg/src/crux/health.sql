WITH followed AS (
    SELECT s.*, max(s.fetched_at) OVER () AS answered_at
    FROM crux_targets AS s
    JOIN domains AS d ON d.id = s.domain_id AND d.deleted_at IS NULL
)
SELECT count(*) AS followed,
    count(*) FILTER (WHERE s.failures > 0) AS failing,
    count(*) FILTER (WHERE s.failures > 0 AND (s.asked_at > s.answered_at) IS NOT FALSE) AS failing_since,
    (array_agg(s.last_failure ORDER BY s.asked_at DESC) FILTER (WHERE s.failures > 0))[1] AS failure,
    max(s.fetched_at) AS fetched_at,
    count(*) FILTER (
        WHERE s.next_collection_at < now() - interval '1 hour' AND (s.leased_until IS NULL OR s.leased_until <= now())
    ) AS overdue
FROM followed AS s
