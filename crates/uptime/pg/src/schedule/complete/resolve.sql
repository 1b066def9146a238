UPDATE uptime_incidents AS i
SET resolved_at = ended.at
FROM unnest($1, $2) AS ended (id, at)
WHERE i.id = ended.id
