-- Inlined by the planner: of the two branches one is never executed.
CREATE OR REPLACE FUNCTION search_chosen_pairs(
    domain uuid, in_type smallint, of_kind smallint, first_day date, last_day date, with_other bigint, from_country text,
    on_device smallint
)
RETURNS TABLE (value_id bigint, other_id bigint, clicks bigint, impressions bigint, position_sum double precision)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT p.query_id, p.page_id, p.clicks, p.impressions, p.position_sum
    FROM search_pairs AS p
    WHERE of_kind = 1 AND p.domain_id = domain AND p.search_type = in_type AND p.date >= first_day AND p.date <= last_day
        AND (with_other IS NULL OR p.page_id = with_other)
        AND (from_country IS NULL OR p.country = from_country)
        AND (on_device IS NULL OR p.device = on_device)
    UNION ALL
    SELECT p.page_id, p.query_id, p.clicks, p.impressions, p.position_sum
    FROM search_pairs AS p
    WHERE of_kind = 2 AND p.domain_id = domain AND p.search_type = in_type AND p.date >= first_day AND p.date <= last_day
        AND (with_other IS NULL OR p.query_id = with_other)
        AND (from_country IS NULL OR p.country = from_country)
        AND (on_device IS NULL OR p.device = on_device)
$$;
COMMENT ON FUNCTION search_chosen_pairs (uuid, smallint, smallint, date, date, bigint, text, smallint) IS
    'The rows of queries with their pages (1), or of pages with their queries (2), that fit all filters; one that is null fits each.';
