INSERT INTO analytics_beacons (domain_id, beacon_id)
SELECT told.domain_id, told.beacon_id
FROM unnest($1, $2) AS told (domain_id, beacon_id)
ORDER BY 1, 2
ON CONFLICT DO NOTHING
RETURNING domain_id, beacon_id
