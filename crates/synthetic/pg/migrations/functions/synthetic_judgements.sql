CREATE OR REPLACE FUNCTION synthetic_judgements(of_domain uuid, by timestamptz)
RETURNS TABLE (
    url_id uuid, url text, profile_id text, form_factor text, run_id uuid, finished_at timestamptz,
    budget_id uuid, actual double precision, passed boolean
)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    -- Index (url_id, profile_id, finished_at).
    SELECT u.id, newest.url, p.profile_id, newest.form_factor, newest.id, newest.finished_at, j.id, j.actual, j.passed
    FROM synthetic_urls AS u
    CROSS JOIN LATERAL jsonb_array_elements_text(u.settings -> 'profile_ids') AS p (profile_id)
    CROSS JOIN LATERAL (
        SELECT r.id, r.url, r.form_factor, r.finished_at, r.figures
        FROM synthetic_runs AS r
        WHERE r.url_id = u.id AND r.profile_id = p.profile_id AND r.status = 'succeeded' AND r.finished_at <= by
        ORDER BY r.finished_at DESC
        LIMIT 1
    ) AS newest
    LEFT JOIN LATERAL (
        -- A budget that was set after the test is held to it, too. The bound itself is kept.
        SELECT b.id, f.actual, CASE b.direction WHEN 'max' THEN f.actual <= b.bound ELSE f.actual >= b.bound END AS passed
        FROM synthetic_budgets AS b
        CROSS JOIN LATERAL (SELECT (newest.figures ->> b.metric)::double precision AS actual) AS f
        WHERE b.domain_id = of_domain
            AND (b.url_id IS NULL OR b.url_id = u.id)
            AND (b.profile_id IS NULL OR b.profile_id = p.profile_id)
    ) AS j ON true
    WHERE u.domain_id = of_domain AND u.deleted_at IS NULL
$$;
COMMENT ON FUNCTION synthetic_judgements (uuid, timestamptz) IS
    'How the budgets of a domain stand: by the newest test, up to a moment, that succeeded of each tracked page on each of its profiles. A test that no budget holds for has one row, without a budget. passed is null where the test has no such figure.';
