-- Each page on each of its profiles, as it stood at $2: its newest finished run, the scores of the five before it that succeeded
-- and were given by the same major version of Lighthouse, since another may weigh them otherwise,
-- how many runs failed since one did (100 are as good as any more), and how its budgets stood.
WITH judged AS (
    SELECT j.url_id, j.profile_id, array_agg(j.passed) AS passed
    FROM synthetic_judgements($1, $2) AS j
    WHERE j.budget_id IS NOT NULL
    GROUP BY j.url_id, j.profile_id
)
SELECT u.id AS url_id, u.settings ->> 'url' AS url, u.settings ->> 'label' AS label, p.profile_id, u.next_run_at,
    last.id AS run_id, last.status, last.finished_at, last.figures, last.engine_major, coalesce(judged.passed, '{}') AS passed,
    ARRAY(
        SELECT (r.figures ->> 'performance_score')::float8
        FROM synthetic_runs AS r
        WHERE r.url_id = u.id AND r.profile_id = p.profile_id AND r.status = 'succeeded' AND r.finished_at < last.finished_at
            -- A case, since PostgreSQL would take tests for rare that two such conditions hold of, and sort all that there are.
            AND CASE
                WHEN r.figures ? 'performance_score'
                THEN r.engine_major IS NOT DISTINCT FROM last.engine_major
            END
        ORDER BY r.finished_at DESC
        LIMIT 5
    ) AS scores_before,
    (
        SELECT count(*)::integer
        FROM (
            SELECT
            FROM synthetic_runs AS r
            WHERE r.url_id = u.id AND r.profile_id = p.profile_id AND r.status = 'failed' AND r.finished_at <= $2
                AND r.finished_at > coalesce(
                    (
                        SELECT g.finished_at
                        FROM synthetic_runs AS g
                        WHERE g.url_id = u.id AND g.profile_id = p.profile_id AND g.status = 'succeeded'
                            AND g.finished_at <= $2
                        ORDER BY g.finished_at DESC
                        LIMIT 1
                    ),
                    '-infinity'
                )
            LIMIT 100
        ) AS failed
    ) AS failures
FROM synthetic_urls AS u
CROSS JOIN LATERAL jsonb_array_elements_text(u.settings -> 'profile_ids') WITH ORDINALITY AS p (profile_id, number)
LEFT JOIN LATERAL (
    SELECT r.id, r.status, r.finished_at, r.figures, r.engine_major
    FROM synthetic_runs AS r
    WHERE r.url_id = u.id AND r.profile_id = p.profile_id AND r.status IN ('succeeded', 'failed') AND r.finished_at <= $2
    ORDER BY r.finished_at DESC
    LIMIT 1
) AS last ON true
LEFT JOIN judged ON judged.url_id = u.id AND judged.profile_id = p.profile_id
WHERE u.domain_id = $1 AND u.deleted_at IS NULL
ORDER BY u.created_at DESC, u.id DESC, p.number
