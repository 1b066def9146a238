-- The clicks ($3) that the search sends to pages ($2), and which of them are valuable ($4).
UPDATE indexing_urls AS u
SET clicks = n.clicks, is_valuable = n.is_valuable
FROM (
    SELECT k.id, coalesce(w.clicks, 0) AS clicks, k.url = ANY ($4) AS is_valuable
    FROM indexing_urls AS k
    LEFT JOIN unnest($2, $3) AS w (url, clicks) ON w.url = k.url
    WHERE k.domain_id = $1
) AS n
WHERE u.id = n.id AND (u.clicks <> n.clicks OR u.is_valuable <> n.is_valuable)
