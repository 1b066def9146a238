INSERT INTO analytics_properties (
    domain_id, at, hit_id, session_id, visitor_id, event, place, property, text, number, flag
)
SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
