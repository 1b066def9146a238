SELECT v.errors, v.size_bytes, r.blocked
FROM unnest($1::uuid[], $2::timestamptz[]) WITH ORDINALITY AS a (domain_id, at, place)
LEFT JOIN LATERAL (
    SELECT CASE WHEN v.content IS NOT NULL THEN v.size_bytes + (v.state = 'too_large')::integer END AS size_bytes,
        (
            SELECT count(*)
            FROM jsonb_to_recordset(v.issues) AS i (code text)
            WHERE i.code = ANY ($3)
        ) AS errors
    FROM robots_versions AS v
    WHERE v.domain_id = a.domain_id AND v.detected_at < a.at
    ORDER BY v.detected_at DESC, v.id DESC
    LIMIT 1
) AS v ON true
LEFT JOIN LATERAL (
    SELECT r.blocked
    FROM sitemap_rounds AS r
    WHERE r.domain_id = a.domain_id AND r.ended_at < a.at
    ORDER BY r.ended_at DESC, r.id DESC
    LIMIT 1
) AS r ON true
ORDER BY a.place
