-- Inlined by the planner, so that a read of it is planned as if the conditions stood in it. A text that is not in the
-- dictionary never occurred: nothing equals its number, which is null.
CREATE OR REPLACE FUNCTION rum_chosen_views(
    domain uuid, since timestamptz, until timestamptz, with_device smallint, over smallint, by_navigation smallint,
    from_country text, with_browser text, with_os text, below text, page_url text
)
RETURNS SETOF rum_views
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT v.*
    FROM rum_views AS v
    WHERE v.domain_id = domain AND v.at >= since AND v.at < until
        AND (with_device IS NULL OR v.device = with_device)
        AND (over IS NULL OR v.connection = over)
        AND (by_navigation IS NULL OR v.navigation = by_navigation)
        AND (from_country IS NULL OR v.country = (
            SELECT t.id FROM rum_texts AS t WHERE t.domain_id = domain AND t.dimension = 6 AND t.value = from_country))
        AND (with_browser IS NULL OR v.browser = (
            SELECT t.id FROM rum_texts AS t WHERE t.domain_id = domain AND t.dimension = 2 AND t.value = with_browser))
        AND (with_os IS NULL OR v.os = (
            SELECT t.id FROM rum_texts AS t WHERE t.domain_id = domain AND t.dimension = 4 AND t.value = with_os))
        AND (page_url IS NULL OR v.page = (
            SELECT t.id FROM rum_texts AS t WHERE t.domain_id = domain AND t.dimension = 0 AND t.value = page_url))
        AND (below IS NULL OR v.page IN (
            SELECT t.id FROM rum_texts AS t
            WHERE t.domain_id = domain AND t.dimension = 0 AND starts_with(t.value, below)))
$$;
COMMENT ON FUNCTION rum_chosen_views (
    uuid, timestamptz, timestamptz, smallint, smallint, smallint, text, text, text, text, text
) IS 'The views between two moments that fit all filters; a filter that is null fits each.';
