CREATE OR REPLACE FUNCTION analytics_filtered_sessions(domain uuid, since timestamptz, until timestamptz, filters integer[])
RETURNS SETOF analytics_sessions
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT s.*
    FROM analytics_sessions AS s
    WHERE s.domain_id = domain AND s.started_at >= since AND s.started_at < until
        AND (filters[1] IS NULL OR s.channel = filters[1])
        AND (filters[2] IS NULL OR s.device = filters[2])
        AND (filters[3] IS NULL OR s.source = filters[3])
        AND (filters[4] IS NULL OR s.medium = filters[4])
        AND (filters[5] IS NULL OR s.campaign = filters[5])
        AND (filters[6] IS NULL OR s.country = filters[6])
        AND (filters[7] IS NULL OR s.browser = filters[7])
        AND (filters[8] IS NULL OR s.os = filters[8])
        AND (filters[9] IS NULL OR s.referrer = filters[9])
        AND (filters[10] IS NULL OR s.id IN (
            SELECT h.session_id
            FROM analytics_hits AS h
            WHERE h.domain_id = domain AND h.at >= since AND h.at < until AND h.kind = 0 AND h.page = filters[10]
        ))
        AND (filters[11] IS NULL OR s.id IN (
            SELECT h.session_id
            FROM analytics_hits AS h
            WHERE h.domain_id = domain AND h.at >= since AND h.at < until AND h.kind = 1 AND h.event = filters[11]
        ))
$$;
COMMENT ON FUNCTION analytics_filtered_sessions (uuid, timestamptz, timestamptz, integer[]) IS
    'The sessions between two midnights (UTC) that fit all filters. In order: channel, device, source, medium, campaign, country, browser, os, referrer, a page that was viewed, an event that happened. A filter that is null fits all; so does null for all of them.';
