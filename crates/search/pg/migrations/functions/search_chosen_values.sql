-- Inlined by the planner: a branch whose condition on the parameters does not hold is never executed.
CREATE OR REPLACE FUNCTION search_chosen_values(
    domain uuid, in_type smallint, of_kind smallint, first_day date, last_day date, with_other bigint, from_country text,
    on_device smallint
)
RETURNS TABLE (value_id bigint, clicks bigint, impressions bigint, position_sum double precision)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT s.value_id, s.clicks, s.impressions, s.position_sum
    FROM search_all_values(domain, in_type, of_kind, first_day, last_day) AS s
    WHERE with_other IS NULL AND from_country IS NULL AND on_device IS NULL
    UNION ALL
    SELECT q.query_id, q.clicks, q.impressions, q.position_sum
    FROM search_queries AS q
    WHERE of_kind = 1 AND with_other IS NULL AND (from_country IS NOT NULL OR on_device IS NOT NULL)
        AND q.domain_id = domain AND q.search_type = in_type AND q.date >= first_day AND q.date <= last_day
        AND (from_country IS NULL OR q.country = from_country)
        AND (on_device IS NULL OR q.device = on_device)
    UNION ALL
    SELECT p.page_id, p.clicks, p.impressions, p.position_sum
    FROM search_pages AS p
    WHERE of_kind = 2 AND with_other IS NULL AND (from_country IS NOT NULL OR on_device IS NOT NULL)
        AND p.domain_id = domain AND p.search_type = in_type AND p.date >= first_day AND p.date <= last_day
        AND (from_country IS NULL OR p.country = from_country)
        AND (on_device IS NULL OR p.device = on_device)
    UNION ALL
    SELECT p.query_id, p.clicks, p.impressions, p.position_sum
    FROM search_pairs AS p
    WHERE of_kind = 1 AND with_other IS NOT NULL
        AND p.domain_id = domain AND p.search_type = in_type AND p.page_id = with_other AND p.date >= first_day AND p.date <= last_day
        AND (from_country IS NULL OR p.country = from_country)
        AND (on_device IS NULL OR p.device = on_device)
    UNION ALL
    SELECT p.page_id, p.clicks, p.impressions, p.position_sum
    FROM search_pairs AS p
    WHERE of_kind = 2 AND with_other IS NOT NULL
        AND p.domain_id = domain AND p.search_type = in_type AND p.query_id = with_other AND p.date >= first_day AND p.date <= last_day
        AND (from_country IS NULL OR p.country = from_country)
        AND (on_device IS NULL OR p.device = on_device)
$$;
COMMENT ON FUNCTION search_chosen_values (uuid, smallint, smallint, date, date, bigint, text, smallint) IS
    'The rows of queries (1) or pages (2) that fit all filters; one that is null fits each. With a page, queries are counted by page.';
