UPDATE analytics_visitors AS v
SET visits = ($4)[told.since + 1:told.until]
FROM (
    SELECT u.domain_id, u.visitor_id, u.until, lag(u.until, 1, 0) OVER (ORDER BY u.place) AS since
    FROM unnest($1, $2, $3) WITH ORDINALITY AS u (domain_id, visitor_id, until, place)
) AS told
WHERE v.domain_id = told.domain_id AND v.visitor_id = told.visitor_id
