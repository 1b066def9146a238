SELECT p.first_at, p.last_at, (
    SELECT count(*) FROM rum_views AS v
    WHERE v.domain_id = $1 AND v.at > $2 - interval '24 hours' AND v.at <= $2
) AS views_of_a_day, p.beacon_version
FROM rum_progress AS p
WHERE p.domain_id = $1
