-- The gathered URLs of a domain ($1) of which no listing was noted for five weeks. A property that was linked within a week may
-- not be imported yet.
UPDATE indexing_urls AS u
SET next_inspection_at = NULL
WHERE u.domain_id = $1 AND u.next_inspection_at IS NOT NULL AND u.source IN ('sitemap', 'gsc_pages', 'analytics')
    AND u.listed_at < $2::timestamptz - interval '35 days'
    AND EXISTS (
        SELECT FROM search_properties AS p
        WHERE p.domain_id = u.domain_id AND p.data_through IS NOT NULL AND p.linked_at < $2 - interval '7 days'
    )
