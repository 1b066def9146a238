-- Each budget with the test that says most of it: one that exceeds it before one that keeps it, and of those the newest.
WITH judged AS (
    SELECT DISTINCT ON (j.budget_id) j.budget_id, j.actual, j.passed, j.run_id
    FROM synthetic_judgements($1, 'infinity') AS j
    WHERE j.budget_id IS NOT NULL
    ORDER BY j.budget_id, j.passed NULLS LAST, j.finished_at DESC
)
SELECT b.id, b.url_id, b.profile_id, b.metric, b.bound, b.direction, j.actual, j.passed, j.run_id
FROM synthetic_budgets AS b
LEFT JOIN judged AS j ON j.budget_id = b.id
WHERE b.domain_id = $1
ORDER BY b.position
