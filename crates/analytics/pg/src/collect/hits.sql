INSERT INTO analytics_hits (
    domain_id, at, id, session_id, visitor_id, kind, page, event, link, term, results,
    channel, source, medium, campaign, referrer, country, device, browser, os
)
SELECT
    h.domain_id, h.at, h.id, h.session_id, s.visitor_id, h.kind, h.page, h.event, h.link, h.term, h.results,
    s.channel, s.source, s.medium, s.campaign, s.referrer, s.country, s.device, s.browser, s.os
FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS h (
    domain_id, at, id, session_id, started_at, kind, page, event, link, term, results
)
JOIN analytics_sessions AS s
    ON s.domain_id = h.domain_id AND s.started_at = h.started_at AND s.id = h.session_id
