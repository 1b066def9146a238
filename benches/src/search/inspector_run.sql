-- An inspector run ($2) of as many URLs of a domain ($1) as one may name ($3), with what their newest inspections found.
WITH made AS (
    INSERT INTO runs (
        id, domain_id, kind, status, requested_at, started_at, finished_at, total_items, completed_items, failed_items,
        requester_kind, credential_id, credits_charged
    )
    VALUES ($2, $1, 'inspector', 'succeeded', now(), now(), now(), $3, $3, 0, 'api_key', $2, 0)
), inspector AS (
    INSERT INTO indexing_runs (run_id, domain_id, site_url) VALUES ($2, $1, 'sc-domain:site-0.example')
)
INSERT INTO indexing_run_urls (run_id, place, url, url_id, status, inspected_at, inspection)
SELECT $2, row_number() OVER (ORDER BY u.url) - 1, u.url, u.id, 'done', u.inspected_at, u.inspection
FROM (SELECT * FROM indexing_urls WHERE domain_id = $1 ORDER BY url LIMIT $3) AS u
