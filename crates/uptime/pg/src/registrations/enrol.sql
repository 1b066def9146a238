WITH wanted AS (
    SELECT domain_id, name FROM unnest($1, $2) AS wanted (domain_id, name)
),
added AS (
    INSERT INTO domain_registrations (name, next_check_at)
    SELECT DISTINCT name, $3 FROM wanted ORDER BY name
    ON CONFLICT DO NOTHING
)
UPDATE uptime_monitors AS m
SET registrable_domain = wanted.name
FROM wanted
WHERE m.domain_id = wanted.domain_id
