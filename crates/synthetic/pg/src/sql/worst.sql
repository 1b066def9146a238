-- The value that each of some rules watches: the median of the runs of each page on each profile, and of those the worst with
-- its newest run. A range counts the runs that the same major version of Lighthouse did as the newest before as_of: another may
-- weigh scores otherwise. Without a range the newest run alone counts. Index (domain_id, finished_at) of those that succeeded, and
-- (url_id, profile_id, finished_at).
SELECT a.number, worst.value, coalesce(worst.runs, 0)::bigint AS runs, worst.url, worst.profile_id, worst.run_id
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::boolean[],
    $8::timestamptz[])
    WITH ORDINALITY AS a (domain_id, metric, url, form_factor, range_from, range_to, greatest, as_of, number)
JOIN domains AS d ON d.id = a.domain_id AND d.deleted_at IS NULL
LEFT JOIN LATERAL (
    SELECT p.value, sum(p.runs) OVER () AS runs, p.url, p.profile_id, p.run_id
    FROM (
        SELECT m.value, m.runs, m.url, m.profile_id, m.run_id
        FROM (
            SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY (r.figures ->> a.metric)::float8) AS value, count(*) AS runs,
                (array_agg(r.url ORDER BY r.finished_at DESC))[1] AS url, r.url_id, r.profile_id, r.engine_major,
                (array_agg(r.id ORDER BY r.finished_at DESC))[1] AS run_id
            FROM synthetic_runs AS r
            JOIN synthetic_urls AS u ON u.id = r.url_id AND u.deleted_at IS NULL
            WHERE a.range_from IS NOT NULL AND r.domain_id = a.domain_id AND r.status = 'succeeded'
                AND r.finished_at >= a.range_from AND r.finished_at < a.range_to
                AND r.figures ? a.metric
                -- A test on another profile was asked for by somebody, or is of the past: nobody watches it.
                AND u.settings -> 'profile_ids' ? r.profile_id
                AND (a.url IS NULL OR r.url = a.url)
                AND (a.form_factor IS NULL OR r.form_factor = a.form_factor)
            GROUP BY r.url_id, r.profile_id, r.engine_major
        ) AS m
        WHERE m.engine_major IS NOT DISTINCT FROM (
            SELECT n.engine_major
            FROM synthetic_runs AS n
            WHERE n.url_id = m.url_id AND n.profile_id = m.profile_id AND n.status = 'succeeded'
                AND n.finished_at < coalesce(a.as_of, 'infinity')
            ORDER BY n.finished_at DESC
            LIMIT 1
        )
        UNION ALL
        SELECT CASE a.metric WHEN 'run_failed' THEN last.failures ELSE (last.figures ->> a.metric)::float8 END,
            1, last.url, q.profile_id, last.id
        FROM synthetic_urls AS u
        CROSS JOIN LATERAL jsonb_array_elements_text(u.settings -> 'profile_ids') AS q (profile_id)
        CROSS JOIN LATERAL (
            SELECT r.id, r.url, r.figures, r.form_factor,
                CASE WHEN a.metric = 'run_failed' THEN (
                    SELECT count(*)
                    FROM (
                        SELECT
                        FROM synthetic_runs AS f
                        WHERE f.url_id = u.id AND f.profile_id = q.profile_id AND f.status = 'failed'
                            AND f.finished_at > coalesce(
                                (
                                    SELECT g.finished_at
                                    FROM synthetic_runs AS g
                                    WHERE g.url_id = u.id AND g.profile_id = q.profile_id AND g.status = 'succeeded'
                                    ORDER BY g.finished_at DESC
                                    LIMIT 1
                                ),
                                '-infinity'
                            )
                        LIMIT 100
                    ) AS failed
                ) END AS failures
            FROM synthetic_runs AS r
            WHERE r.url_id = u.id AND r.profile_id = q.profile_id
                AND r.status = ANY (CASE a.metric WHEN 'run_failed' THEN '{succeeded,failed}' ELSE '{succeeded}' END::text[])
                AND r.finished_at IS NOT NULL
            ORDER BY r.finished_at DESC
            LIMIT 1
        ) AS last
        WHERE a.range_from IS NULL AND a.metric <> 'budget_exceeded' AND u.domain_id = a.domain_id AND u.deleted_at IS NULL
            AND (a.url IS NULL OR last.url = a.url)
            AND (a.form_factor IS NULL OR last.form_factor = a.form_factor)
        UNION ALL
        -- Budgets, each once however many pages exceed it, with the newest run that exceeds one.
        SELECT count(DISTINCT j.budget_id) FILTER (WHERE NOT j.passed), 1,
            (array_agg(j.url ORDER BY j.passed NULLS LAST, j.finished_at DESC))[1],
            (array_agg(j.profile_id ORDER BY j.passed NULLS LAST, j.finished_at DESC))[1],
            (array_agg(j.run_id ORDER BY j.passed NULLS LAST, j.finished_at DESC))[1]
        FROM synthetic_judgements(a.domain_id, 'infinity') AS j
        WHERE a.metric = 'budget_exceeded'
            AND (a.url IS NULL OR j.url = a.url)
            AND (a.form_factor IS NULL OR j.form_factor = a.form_factor)
        HAVING count(*) > 0
    ) AS p
    ORDER BY CASE WHEN a.greatest THEN p.value END DESC NULLS LAST, p.value, p.run_id
    LIMIT 1
) AS worst ON true
ORDER BY a.number
