-- Times are sent where they are asked for.
SELECT made.starts_at, made.region, made.counts, made.least_us, made.most_us, made.samples, made.micros,
    CASE WHEN 'response' = ANY ($5) THEN made.response END AS response,
    CASE WHEN 'dns' = ANY ($5) THEN made.dns END AS dns,
    CASE WHEN 'connect' = ANY ($5) THEN made.connect END AS connect,
    CASE WHEN 'tls' = ANY ($5) THEN made.tls END AS tls,
    CASE WHEN 'ttfb' = ANY ($5) THEN made.ttfb END AS ttfb,
    CASE WHEN 'download' = ANY ($5) THEN made.download END AS download
FROM uptime_hours($1, $2, $3) AS made
WHERE $4 IS NULL OR made.region = $4
