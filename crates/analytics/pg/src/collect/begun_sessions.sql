-- Sessions that begin sooner than was known: where they came from is told by what came first. Their hits say the same.
WITH begun AS (
    SELECT *
    FROM unnest(
        $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21
    ) AS begun (
        domain_id, began_at, id, started_at, channel, source, device, medium, campaign, term, content, referrer,
        referrer_path, country, region, city, browser, browser_version, os, os_version, screen
    )
), hits AS (
    UPDATE analytics_hits AS h
    SET channel = b.channel, source = b.source, medium = b.medium, campaign = b.campaign, referrer = b.referrer,
        country = b.country, device = b.device, browser = b.browser, os = b.os
    FROM begun AS b
    WHERE h.domain_id = b.domain_id AND h.at >= b.began_at AND h.at < b.began_at + interval '1 day' AND h.session_id = b.id
)
UPDATE analytics_sessions AS s
SET started_at = b.started_at, channel = b.channel, source = b.source, device = b.device, medium = b.medium,
    campaign = b.campaign, term = b.term, content = b.content, referrer = b.referrer, referrer_path = b.referrer_path,
    country = b.country, region = b.region, city = b.city, browser = b.browser, browser_version = b.browser_version,
    os = b.os, os_version = b.os_version, screen = b.screen
FROM begun AS b
WHERE s.domain_id = b.domain_id AND s.started_at = b.began_at AND s.id = b.id
