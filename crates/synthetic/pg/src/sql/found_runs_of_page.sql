-- The same of one page, $8. $2, $3: the position, or the beginning. $5: the profile; null: each that there is.
WITH RECURSIVE known (profile_id) AS (
    (
        SELECT r.profile_id FROM synthetic_runs AS r
        WHERE $5::text IS NULL AND r.url_id = $8
        ORDER BY r.profile_id
        LIMIT 1
    )
    UNION ALL
    SELECT (
        SELECT r.profile_id FROM synthetic_runs AS r
        WHERE r.url_id = $8 AND r.profile_id > known.profile_id
        ORDER BY r.profile_id
        LIMIT 1
    )
    FROM known
    WHERE known.profile_id IS NOT NULL
)
SELECT r.id, r.url_id, r.url, r.profile_id, r.trigger, r.status, r.requested_at, r.started_at, r.finished_at, r.error_code,
    r.error_detail, r.summary, r.budgets, r.images_until,
    coalesce((SELECT t.filmstrip ->> 'final_screenshot' IS NOT NULL FROM synthetic_results AS t WHERE t.run_id = r.id), false)
        AS has_screenshot,
    k.requester_kind, k.credential_id, k.credits_charged
FROM (
    SELECT own.id, own.requested_at
    FROM (SELECT profile_id FROM known UNION ALL SELECT $5) AS p
    CROSS JOIN unnest($6) AS s (status)
    CROSS JOIN unnest($7) AS t (trigger)
    -- A page of each combination, by the index of all three, which has all that is looked at.
    CROSS JOIN LATERAL (
        SELECT f.id, f.requested_at FROM synthetic_runs AS f
        WHERE f.url_id = $8
            AND f.profile_id = p.profile_id AND f.status = s.status AND f.trigger = t.trigger
            AND (f.requested_at, f.id) < ($2, $3)
        ORDER BY f.requested_at DESC, f.id DESC
        LIMIT $4
    ) AS own
    ORDER BY own.requested_at DESC, own.id DESC
    LIMIT $4
) AS page
-- One by one, however many the planner takes a page for.
CROSS JOIN LATERAL (SELECT * FROM synthetic_runs AS f WHERE f.id = page.id AND f.domain_id = $1 LIMIT 1) AS r
-- Runs that a caller asked for have a row here; those of schedules have none.
LEFT JOIN LATERAL (SELECT * FROM runs AS f WHERE f.id = page.id LIMIT 1) AS k ON true
ORDER BY r.requested_at DESC, r.id DESC
