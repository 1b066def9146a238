WITH wanted AS (
    SELECT wanted.domain_id, wanted.name, d.workspace_id
    FROM unnest($1, $2) AS wanted (domain_id, name)
    JOIN domains AS d ON d.id = wanted.domain_id
),
added AS (
    INSERT INTO domain_registrations (name, next_check_at, workspace_id)
    -- A clock that is ahead puts nothing off.
    SELECT DISTINCT ON (name) name, least($3, now()), workspace_id FROM wanted ORDER BY name, domain_id
    ON CONFLICT DO NOTHING
)
UPDATE uptime_monitors AS m
SET registrable_domain = wanted.name
FROM wanted
WHERE m.domain_id = wanted.domain_id
