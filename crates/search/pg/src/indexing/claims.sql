-- The claims on a property's ($1) inspections of a day ($2), which ends at $3, before the domain that asks ($4) takes any more of the
-- $5 of the rotation. daily: the domain's own URLs that are due within the day and looked at daily, up to a third. claimed: what
-- the other domains that are linked to the property have left of their equal shares, as far as URLs of theirs are due.
WITH others AS (
    SELECT s.domain_id, CASE WHEN s.spent_on = $2 THEN s.spent ELSE 0 END AS spent
    FROM search_properties AS p
    JOIN domains AS d ON d.id = p.domain_id AND d.deleted_at IS NULL
    JOIN indexing_sites AS s ON s.domain_id = p.domain_id AND s.failures = 0
    WHERE p.site_url = $1 AND p.domain_id <> $4 AND p.status IN ('connected', 'pending')
), shared AS (
    SELECT $5::bigint / (count(*) + 1) AS share
    FROM others
)
SELECT
    (
        SELECT count(*)
        FROM (
            SELECT u.id
            FROM indexing_urls AS u
            WHERE u.domain_id = $4 AND u.next_inspection_at < $3 AND u.inspected_at IS NOT NULL
                AND (u.is_valuable OR u.has_changed)
            LIMIT $5 / 3
        ) AS own
    ) AS daily,
    coalesce((
        SELECT sum(least(greatest(shared.share - o.spent, 0), w.waiting))
        FROM others AS o
        CROSS JOIN shared
        CROSS JOIN LATERAL (
            SELECT count(*) AS waiting
            FROM (
                SELECT u.id
                FROM indexing_urls AS u
                WHERE u.domain_id = o.domain_id AND u.next_inspection_at < $3
                LIMIT (SELECT shared.share FROM shared)
            ) AS due
        ) AS w
    ), 0)::bigint AS claimed
