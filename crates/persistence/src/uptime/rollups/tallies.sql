INSERT INTO uptime_rollups
SELECT $1, rolled.grain, made.*
FROM unnest($2) AS rolled (grain)
CROSS JOIN LATERAL uptime_rollup($1, rolled.grain, date_trunc(rolled.grain, $3, 'UTC'), $4) AS made
