-- The last titles of pages ($2), by their paths; nothing where the site does not store titles.
SELECT wanted.url, t.title
FROM unnest($2) AS wanted (url)
JOIN analytics_values AS v
    ON v.domain_id = $1 AND v.dimension = 0
    AND v.value = coalesce(nullif(substring(wanted.url FROM '^[a-z]+://[^/?#]*([^?#]*)'), ''), '/')
JOIN analytics_titles AS t ON t.domain_id = $1 AND t.page = v.id
WHERE EXISTS (
    SELECT FROM analytics_sites AS s
    WHERE s.domain_id = $1 AND (s.settings ->> 'store_page_titles')::boolean IS NOT FALSE
)
