UPDATE analytics_sessions AS s
SET ended_at = greatest(s.ended_at, grown.ended_at),
    pageviews = s.pageviews + grown.pageviews,
    events = s.events + grown.events,
    clicks = s.clicks + grown.clicks,
    entry_page = CASE WHEN grown.entry_at < s.entry_at OR s.entry_at IS NULL THEN grown.entry_page ELSE s.entry_page END,
    entry_at = least(s.entry_at, grown.entry_at),
    exit_page = CASE WHEN grown.exit_at >= s.exit_at OR s.exit_at IS NULL THEN grown.exit_page ELSE s.exit_page END,
    exit_at = greatest(s.exit_at, grown.exit_at)
FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS grown (
    domain_id, started_at, id, ended_at, pageviews, events, clicks, entry_page, entry_at, exit_page, exit_at
)
WHERE s.domain_id = grown.domain_id AND s.started_at = grown.started_at AND s.id = grown.id
