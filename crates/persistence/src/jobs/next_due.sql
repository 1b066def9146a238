SELECT extract(epoch FROM least(
    (
        SELECT coalesce(leased_until, run_at)
        FROM jobs
        WHERE coalesce(lane, '') = $1 AND state IN ('queued', 'running') AND kind = ANY($2)
        ORDER BY coalesce(leased_until, run_at)
        LIMIT 1
    ),
    (
        SELECT coalesce(leased_until, run_at)
        FROM jobs
        WHERE coalesce(lane, '') = '' AND state IN ('queued', 'running') AND kind = ANY($2)
        ORDER BY coalesce(leased_until, run_at)
        LIMIT 1
    )
) - now())::float8 AS next_due
