-- $3 pages of the domain $1, all with the settings $2, but for the address and the name.
INSERT INTO synthetic_urls (
    id, domain_id, workspace_id, settings, has_basic_auth, has_cookie, next_run_at, created_at, updated_at
)
SELECT gen_random_uuid(), d.id, d.workspace_id,
    $2 || jsonb_build_object('url', 'https://' || d.hostname || '/page-' || n, 'label', 'Page ' || n),
    false, false, now() + interval '1 day', now() - interval '1 year', now() - interval '1 year'
FROM domains AS d
CROSS JOIN generate_series(1, $3) AS s (n)
WHERE d.id = $1
