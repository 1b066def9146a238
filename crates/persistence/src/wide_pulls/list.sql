-- A page of each status that is asked for, by the index of the kind and the status. $2, $3: the position, or the beginning.
-- $9: every status that there is.
SELECT r.id, r.domain_id, r.kind, r.status, r.requested_at, r.started_at, r.finished_at, r.expires_at,
    r.total_items, r.completed_items, r.failed_items, r.error_code, r.error_detail, r.requester_kind, r.credential_id, r.credits_charged,
    p.report, p.first_day, p.last_day, p.total_rows, p.is_truncated
FROM (
    SELECT own.id, own.requested_at
    FROM unnest($9) AS s (status)
    CROSS JOIN LATERAL (
        SELECT f.id, f.requested_at FROM runs AS f
        WHERE f.domain_id = $1 AND f.kind = $8 AND f.status = s.status AND (f.requested_at, f.id) < ($2, $3)
            AND ($5 IS NULL OR s.status NOT IN ('succeeded', 'partial') OR coalesce(f.expires_at > $6, true))
            -- Asked of each row in turn, until the page is full.
            AND ($4 IS NULL OR (SELECT p.report = $4 FROM wide_pulls AS p WHERE p.run_id = f.id))
        ORDER BY f.requested_at DESC, f.id DESC
        LIMIT $7
    ) AS own
    WHERE $5 IS NULL OR s.status = $5
    UNION ALL
    -- The few that have expired, and upkeep has not seen yet.
    SELECT f.id, f.requested_at FROM runs AS f
    WHERE $5 = 'expired' AND f.status IN ('succeeded', 'partial') AND f.expires_at IS NOT NULL
        -- With both bounds the planner takes the range for a small part of the table, as it is.
        AND f.expires_at >= '-infinity' AND f.expires_at <= $6
        AND f.domain_id = $1 AND f.kind = $8 AND (f.requested_at, f.id) < ($2, $3)
        AND ($4 IS NULL OR (SELECT p.report = $4 FROM wide_pulls AS p WHERE p.run_id = f.id))
    ORDER BY requested_at DESC, id DESC
    LIMIT $7
) AS page
-- One by one, however many the planner takes a page for.
CROSS JOIN LATERAL (SELECT * FROM runs AS f WHERE f.id = page.id LIMIT 1) AS r
CROSS JOIN LATERAL (SELECT * FROM wide_pulls AS f WHERE f.run_id = page.id LIMIT 1) AS p
ORDER BY r.requested_at DESC, r.id DESC
