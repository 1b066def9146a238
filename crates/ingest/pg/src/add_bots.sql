INSERT INTO collect_bots (domain_id, day, beacons)
SELECT seen.domain_id, (now() AT TIME ZONE 'UTC')::date, seen.beacons
FROM unnest($1, $2) AS seen (domain_id, beacons)
-- A domain that is gone since then has no row to count on.
WHERE EXISTS (SELECT FROM domains WHERE id = seen.domain_id)
ORDER BY seen.domain_id
ON CONFLICT (domain_id, day) DO UPDATE SET beacons = collect_bots.beacons + excluded.beacons
