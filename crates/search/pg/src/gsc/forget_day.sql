-- All of a day but the lists that are kept ($4).
WITH days AS (
    DELETE FROM search_days WHERE domain_id = $1 AND search_type = $2 AND date = $3
), places AS (
    DELETE FROM search_places
    WHERE domain_id = $1 AND search_type = $2 AND date = $3 AND 'places' <> ALL ($4)
), queries AS (
    DELETE FROM search_queries
    WHERE domain_id = $1 AND search_type = $2 AND date = $3 AND 'queries' <> ALL ($4)
), pages AS (
    DELETE FROM search_pages
    WHERE domain_id = $1 AND search_type = $2 AND date = $3 AND 'pages' <> ALL ($4)
), pairs AS (
    DELETE FROM search_pairs
    WHERE domain_id = $1 AND search_type = $2 AND date = $3 AND 'pairs' <> ALL ($4)
), appearances AS (
    DELETE FROM search_appearances
    WHERE domain_id = $1 AND search_type = $2 AND date = $3 AND 'appearances' <> ALL ($4)
), sums AS (
    DELETE FROM search_sums WHERE domain_id = $1 AND search_type = $2 AND date = $3
), month_sums AS (
    DELETE FROM search_month_sums
    WHERE domain_id = $1 AND search_type = $2 AND month = date_trunc('month', $3)::date
), missed AS (
    DELETE FROM search_missed_days WHERE domain_id = $1 AND search_type = $2 AND date = $3
)
DELETE FROM search_months
WHERE domain_id = $1 AND search_type = $2 AND month = date_trunc('month', $3)::date
