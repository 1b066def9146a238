INSERT INTO analytics_engagements (domain_id, at, id, session_id, load_id, page, visible_ms, scroll_pct)
SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8)
