INSERT INTO uptime_distributions
SELECT $1, rolled.grain, rolled.measure, made.*
FROM unnest($2, $3) AS rolled (grain, measure)
CROSS JOIN LATERAL uptime_distribution(
    $1, rolled.grain, rolled.measure, date_trunc(rolled.grain, $4, 'UTC'), $5
) AS made
