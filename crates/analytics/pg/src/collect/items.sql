INSERT INTO analytics_items (
    domain_id, at, hit_id, session_id, step, place, product, name, category, brand, variant, price_cents, quantity
)
SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
