-- Tests of each page of the domain $1 on both of its profiles: one a day, $4 days long, the last a day before $2. $3 is the result, which
-- each varies. Of 50 one failed, one in ten was asked for by a caller, and half a year ago another Lighthouse measured.
INSERT INTO synthetic_runs (
    id, domain_id, url_id, url, profile_id, form_factor, trigger, status, requested_at, started_at, finished_at, error_code,
    error_detail, summary, budgets, images_until, files_until
)
SELECT gen_random_uuid(), $1, t.url_id, t.url, t.profile_id, t.profile_id, CASE WHEN t.day % 10 = 0 THEN 'api' ELSE 'schedule' END,
    CASE WHEN t.is_measured THEN 'succeeded' ELSE 'failed' END, t.at, t.at + interval '2 seconds', t.at + interval '20 seconds',
    CASE WHEN NOT t.is_measured THEN 'upstream-error' END,
    CASE WHEN NOT t.is_measured THEN 'the page was not measured within 120 seconds' END,
    CASE WHEN t.is_measured THEN
        $3 || jsonb_build_object(
            'requested_url', t.url, 'engine_version', CASE WHEN t.day > $4 / 2 THEN '12.8.2' ELSE '13.5.0' END,
            'figures', f.figures
        )
    END,
    CASE WHEN t.is_measured THEN j.outcomes ELSE '[]' END,
    CASE WHEN t.is_measured THEN t.at + interval '90 days' END,
    CASE WHEN t.is_measured THEN t.at + interval '90 days' END
FROM (
    SELECT u.id AS url_id, u.settings ->> 'url' AS url, p.profile_id, d.day, d.day % 50 <> 7 AS is_measured,
        $2 - d.day * interval '1 day' - u.number * interval '1 minute' AS at,
        random() + random() AS luck
    FROM (
        SELECT id, settings, row_number() OVER (ORDER BY settings ->> 'url') AS number
        FROM synthetic_urls
        WHERE domain_id = $1
    ) AS u
    CROSS JOIN LATERAL jsonb_array_elements_text(u.settings -> 'profile_ids') AS p (profile_id)
    CROSS JOIN generate_series(1, $4) AS d (day)
) AS t
CROSS JOIN LATERAL (
    SELECT ($3 -> 'figures') || jsonb_build_object(
        'performance_score', round(90 - 30 * t.luck), 'lcp_ms', 1500 + 5000 * t.luck, 'tbt_ms', 800 * t.luck, 'cls', 0.1 * t.luck,
        'fcp_ms', 900 + 500 * t.luck, 'speed_index_ms', 1200 + 1200 * t.luck
    ) AS figures
) AS f
CROSS JOIN LATERAL (
    SELECT jsonb_agg(
        jsonb_build_object(
            'budget_id', b.id, 'metric', b.metric, 'limit', b.bound, 'actual', a.actual,
            'over_by', CASE WHEN a.over > 0 THEN a.over END, 'passed', a.over <= 0
        )
        ORDER BY b.position
    ) AS outcomes
    FROM synthetic_budgets AS b
    CROSS JOIN LATERAL (
        SELECT v.actual, CASE b.direction WHEN 'max' THEN v.actual - b.bound ELSE b.bound - v.actual END AS over
        FROM (SELECT (f.figures ->> b.metric)::double precision AS actual) AS v
    ) AS a
    WHERE b.domain_id = $1 AND (b.url_id IS NULL OR b.url_id = t.url_id)
) AS j
