SELECT (r.ended_at AT TIME ZONE 'UTC')::date AS day,
    (array_agg(r.urls_total ORDER BY r.ended_at DESC, r.id DESC))[1] AS urls_total,
    sum(r.added)::bigint AS added, sum(r.removed)::bigint AS removed, sum(r.lastmod_changed)::bigint AS lastmod_changed,
    max(r.files_failed) AS files_failed
FROM sitemap_rounds AS r
WHERE r.domain_id = $1 AND r.ended_at >= $2 AND r.ended_at < $3
GROUP BY day
ORDER BY day
