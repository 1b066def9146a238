SELECT a.place, s.checks, s.added, s.removed, e.urls_total, e.files_failed, e.errors, e.blocked, e.non_200
FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS a (domain_id, since, until, place)
CROSS JOIN LATERAL (
    SELECT count(*) AS checks, coalesce(sum(r.added), 0)::bigint AS added, coalesce(sum(r.removed), 0)::bigint AS removed
    FROM sitemap_rounds AS r
    WHERE r.domain_id = a.domain_id AND r.ended_at >= a.since AND r.ended_at < a.until
) AS s
LEFT JOIN LATERAL (
    SELECT r.urls_total, r.files_failed, r.errors, r.blocked, r.non_200
    FROM sitemap_rounds AS r
    WHERE r.domain_id = a.domain_id AND r.ended_at < a.until
    ORDER BY r.ended_at DESC, r.id DESC
    LIMIT 1
) AS e ON true
ORDER BY a.place
