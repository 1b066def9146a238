-- A page of each status that is asked for, by the index of the kind and the status. $2, $3: the position, or the beginning.
-- $7: every status that there is.
SELECT r.id, r.domain_id, r.kind, r.status, r.requested_at, r.started_at, r.finished_at, r.expires_at,
    r.total_items, r.completed_items, r.failed_items, r.error_code, r.error_detail, r.requester_kind, r.credential_id, r.credits_charged,
    a.template_id, a.template_name, a.trigger, a.format, a.period, a.first_day, a.last_day, a.result
FROM (
    SELECT own.id, own.requested_at
    FROM unnest($7) AS s (status)
    CROSS JOIN LATERAL (
        SELECT f.id, f.requested_at FROM runs AS f
        WHERE f.domain_id = $1 AND f.kind = 'report' AND f.status = s.status AND (f.requested_at, f.id) < ($2, $3)
            AND ($4 IS NULL OR s.status NOT IN ('succeeded', 'partial') OR coalesce(f.expires_at > $5, true))
        ORDER BY f.requested_at DESC, f.id DESC
        LIMIT $6
    ) AS own
    WHERE $4 IS NULL OR s.status = $4
    UNION ALL
    -- The few that have expired, and upkeep has not seen yet.
    SELECT f.id, f.requested_at FROM runs AS f
    WHERE $4 = 'expired' AND f.status IN ('succeeded', 'partial') AND f.expires_at IS NOT NULL
        -- With both bounds the planner takes the range for a small part of the table, as it is.
        AND f.expires_at >= '-infinity' AND f.expires_at <= $5
        AND f.domain_id = $1 AND f.kind = 'report' AND (f.requested_at, f.id) < ($2, $3)
    ORDER BY requested_at DESC, id DESC
    LIMIT $6
) AS page
-- One by one, however many the planner takes a page for.
CROSS JOIN LATERAL (SELECT * FROM runs AS f WHERE f.id = page.id LIMIT 1) AS r
CROSS JOIN LATERAL (SELECT * FROM report_runs AS f WHERE f.run_id = page.id LIMIT 1) AS a
ORDER BY r.requested_at DESC, r.id DESC
