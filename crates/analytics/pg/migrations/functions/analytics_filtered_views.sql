CREATE OR REPLACE FUNCTION analytics_filtered_views(domain uuid, since timestamptz, until timestamptz, filters integer[])
RETURNS TABLE (page integer, session_id bigint, visitor_id bigint)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT v.page, v.session_id, v.visitor_id
    FROM analytics_hits AS v
    WHERE v.domain_id = domain AND v.at >= since AND v.at < until AND v.kind = 0
        AND (filters[1] IS NULL OR v.channel = filters[1])
        AND (filters[2] IS NULL OR v.device = filters[2])
        AND (filters[3] IS NULL OR v.source = filters[3])
        AND (filters[4] IS NULL OR v.medium = filters[4])
        AND (filters[5] IS NULL OR v.campaign = filters[5])
        AND (filters[6] IS NULL OR v.country = filters[6])
        AND (filters[7] IS NULL OR v.browser = filters[7])
        AND (filters[8] IS NULL OR v.os = filters[8])
        AND (filters[9] IS NULL OR v.referrer = filters[9])
        AND (filters[10] IS NULL OR v.session_id IN (
            SELECT h.session_id
            FROM analytics_hits AS h
            WHERE h.domain_id = domain AND h.at >= since AND h.at < until AND h.kind = 0 AND h.page = filters[10]
        ))
        AND (filters[11] IS NULL OR v.session_id IN (
            SELECT h.session_id
            FROM analytics_hits AS h
            WHERE h.domain_id = domain AND h.at >= since AND h.at < until AND h.kind = 1 AND h.event = filters[11]
        ))
$$;
COMMENT ON FUNCTION analytics_filtered_views (uuid, timestamptz, timestamptz, integer[]) IS
    'The page views between two midnights (UTC) of the sessions that fit all filters, as analytics_filtered_sessions has them.';
