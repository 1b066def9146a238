-- The rows of one of the tables, between two days, both of which count. It is one query, so PostgreSQL writes it into the
-- statement that asks, and reads no other table than the one of that number (source::Source of the core). A list that is null
-- lets everything through. Lists of values are joined, not compared one by one: they may have a million.
CREATE OR REPLACE FUNCTION search_rows(
    a_domain uuid, a_type smallint, first_day date, last_day date, source smallint, queries bigint[], pages bigint[],
    appearances bigint[], countries text[], devices smallint[]
) RETURNS TABLE (
    date date, query_id bigint, page_id bigint, appearance_id bigint, country text, device smallint, clicks bigint,
    impressions bigint, position_sum double precision
) LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT
        s.date, s.query_id, s.page_id, s.appearance_id, s.country, s.device, s.clicks, s.impressions, s.position_sum
    FROM (
        SELECT
            q.date, q.query_id, NULL::bigint AS page_id, NULL::bigint AS appearance_id, q.country, q.device,
            q.clicks, q.impressions, q.position_sum
        FROM search_queries AS q
        WHERE source = 1 AND q.domain_id = a_domain AND q.search_type = a_type
            AND q.date BETWEEN first_day AND last_day
        UNION ALL
        SELECT
            p.date, NULL, p.page_id, NULL, p.country, p.device, p.clicks, p.impressions, p.position_sum
        FROM search_pages AS p
        WHERE source = 2 AND p.domain_id = a_domain AND p.search_type = a_type
            AND p.date BETWEEN first_day AND last_day
        UNION ALL
        SELECT
            b.date, b.query_id, b.page_id, NULL, b.country, b.device, b.clicks, b.impressions, b.position_sum
        FROM search_pairs AS b
        WHERE source = 3 AND b.domain_id = a_domain AND b.search_type = a_type
            AND b.date BETWEEN first_day AND last_day
        UNION ALL
        SELECT
            a.date, NULL, a.page_id, a.appearance_id, NULL, NULL, a.clicks, a.impressions, a.position_sum
        FROM search_appearances AS a
        WHERE source = 4 AND a.domain_id = a_domain AND a.search_type = a_type
            AND a.date BETWEEN first_day AND last_day
        UNION ALL
        SELECT
            m.date, m.value_id, NULL, NULL, NULL, NULL, m.clicks, m.impressions, m.position_sum
        FROM search_sums AS m
        WHERE source = 5 AND m.domain_id = a_domain AND m.search_type = a_type AND m.kind = 1
            AND m.date BETWEEN first_day AND last_day
        UNION ALL
        SELECT
            m.date, NULL, m.value_id, NULL, NULL, NULL, m.clicks, m.impressions, m.position_sum
        FROM search_sums AS m
        WHERE source = 6 AND m.domain_id = a_domain AND m.search_type = a_type AND m.kind = 2
            AND m.date BETWEEN first_day AND last_day
    ) AS s
    LEFT JOIN unnest(queries) AS wanted_query (id) ON wanted_query.id = s.query_id
    LEFT JOIN unnest(pages) AS wanted_page (id) ON wanted_page.id = s.page_id
    LEFT JOIN unnest(appearances) AS wanted_appearance (id) ON wanted_appearance.id = s.appearance_id
    WHERE (queries IS NULL OR wanted_query.id IS NOT NULL)
        AND (pages IS NULL OR wanted_page.id IS NOT NULL)
        AND (appearances IS NULL OR wanted_appearance.id IS NOT NULL)
        AND (countries IS NULL OR s.country = ANY (countries))
        AND (devices IS NULL OR s.device = ANY (devices))
$$;
COMMENT ON FUNCTION search_rows (
    uuid, smallint, date, date, smallint, bigint[], bigint[], bigint[], text[], smallint[]
) IS 'The rows of search between two days that fit all filters, from the table that knows no more than is asked for.';
