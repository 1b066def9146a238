-- How many alerts of each domain fired lately, $3 at most: further it does not matter.
SELECT asked.domain_id, count(h.fired_at) AS firings
FROM unnest($1) AS asked (domain_id)
CROSS JOIN LATERAL (
    SELECT h.fired_at
    FROM alert_history AS h
    WHERE h.domain_id = asked.domain_id AND h.fired_at > now() - make_interval(secs => $2)
    LIMIT $3
) AS h
GROUP BY asked.domain_id
