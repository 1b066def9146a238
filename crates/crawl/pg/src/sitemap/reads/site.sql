SELECT s.last_checked_at, s.last_changed_at, s.robots_declared, s.figures, s.conflicts,
    coalesce(
        s.conflicts ->> 'version_id' <> r.version_id::text
        OR s.last_changed_at > (s.conflicts ->> 'computed_at')::timestamptz
        OR s.conflicts IS NOT NULL AND s.conflicts -> 'googlebot_files' IS NULL,
        false
    ) AS is_stale,
    f.files, f.indexes, f.in_robots, f.is_default, f.is_manual,
    i.errors, i.warnings, i.infos, d.added, d.removed, p.non_200
FROM sitemap_sites AS s
LEFT JOIN robots_sites AS r ON r.domain_id = s.domain_id
CROSS JOIN LATERAL (
    SELECT count(*) AS files, count(*) FILTER (WHERE f.kind = 'sitemap_index') AS indexes,
        coalesce(bool_or(f.in_robots), false) AS in_robots, coalesce(bool_or(f.is_default), false) AS is_default,
        coalesce(bool_or(f.is_manual), false) AS is_manual
    FROM sitemap_files AS f
    WHERE f.domain_id = s.domain_id AND f.removed_at IS NULL
) AS f
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE i.code = ANY ($3)) AS errors, count(*) FILTER (WHERE i.code = ANY ($4)) AS warnings,
        count(*) FILTER (WHERE NOT i.code = ANY ($3) AND NOT i.code = ANY ($4)) AS infos
    FROM sitemap_issues AS i
    JOIN sitemap_files AS f ON f.id = i.file_id AND f.removed_at IS NULL
    WHERE i.domain_id = s.domain_id
) AS i
CROSS JOIN LATERAL (
    SELECT coalesce(sum(r.added), 0)::bigint AS added, coalesce(sum(r.removed), 0)::bigint AS removed
    FROM sitemap_rounds AS r
    WHERE r.domain_id = s.domain_id AND r.ended_at >= date_trunc('day', $2, 'UTC') - interval '6 days'
) AS d
CROSS JOIN LATERAL (
    SELECT CASE WHEN count(*) > 0 THEN count(*) FILTER (WHERE p.status_code >= 400) END AS non_200
    FROM sitemap_samples AS p
    WHERE p.domain_id = s.domain_id
        AND EXISTS (
            SELECT FROM sitemap_urls AS u
            WHERE u.domain_id = p.domain_id AND u.url_key = p.url_key AND u.missing_since IS NULL
        )
) AS p
WHERE s.domain_id = $1 AND s.figures IS NOT NULL
