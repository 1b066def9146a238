-- The paths of the pages with the most views within the $5 UTC days before the day of $2, those with at least $3 of them.
SELECT v.value AS path
FROM (
    SELECT p.page, sum(p.pageviews) AS views
    FROM analytics_pages AS p
    WHERE p.domain_id = $1 AND p.grain = 0 AND p.part = 0
        AND p.starts_on >= ($2 AT TIME ZONE 'UTC')::date - $5 AND p.starts_on < ($2 AT TIME ZONE 'UTC')::date
    GROUP BY p.page
    HAVING sum(p.pageviews) >= $3
    ORDER BY views DESC, p.page
    LIMIT $4
) AS most
JOIN analytics_values AS v ON v.domain_id = $1 AND v.id = most.page
-- One value stands for all paths beyond the bound of the dictionary, and is none.
WHERE v.value LIKE '/%'
ORDER BY most.views DESC, v.id
