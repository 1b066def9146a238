UPDATE uptime_incidents AS i
SET checks_failed = i.checks_failed + growth.failed, during_maintenance = i.during_maintenance OR growth.maintained
FROM unnest($1, $2, $3) AS growth (id, failed, maintained)
WHERE i.id = growth.id
