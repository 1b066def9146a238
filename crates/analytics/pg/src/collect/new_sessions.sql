INSERT INTO analytics_sessions (
    domain_id, visitor_id, id, started_at, ended_at, pageviews, events, clicks, entry_page, entry_at, exit_page, exit_at,
    channel, source, device, medium, campaign, term, content, referrer, referrer_path, country, region, city, browser,
    browser_version, os, os_version, screen
)
SELECT *
FROM unnest(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26,
    $27, $28, $29
)
