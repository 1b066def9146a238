INSERT INTO crux_targets (id, domain_id, workspace_id, status, next_collection_at, created_at)
-- A clock that is ahead puts nothing off.
SELECT gen_random_uuid(), d.id, d.workspace_id, 'no_data', least($1, now()), least($1, now())
FROM domains AS d
WHERE d.deleted_at IS NULL
    AND NOT EXISTS (SELECT FROM crux_targets AS t WHERE t.domain_id = d.id AND t.url IS NULL)
LIMIT $2
ON CONFLICT DO NOTHING
