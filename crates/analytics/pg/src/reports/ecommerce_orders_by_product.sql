INSERT INTO wide_pull_rows (run_id, place, cells)
SELECT
    $5,
    row_number() OVER (
        ORDER BY f.cents DESC, f.orders DESC, f.product, f.name, f.category, f.brand, f.variant
    ),
    jsonb_build_array(
        product.value, name.value, category.value, brand.value, variant.value, f.orders, f.units, f.cents / 100.0::float8
    )
FROM (
    SELECT
        i.product, i.name, i.category, i.brand, i.variant,
        count(DISTINCT i.hit_id) AS orders,
        sum(i.quantity) AS units,
        analytics_cents(sum(i.price_cents::numeric * i.quantity) FILTER (WHERE c.currency IN ('', $8))) AS cents
    FROM (
        SELECT c.*
        FROM analytics_commerce AS c
        WHERE c.domain_id = $1 AND c.at >= $2 AND c.at < $3 AND c.step = 3 AND NOT c.is_repeated
    ) AS c
    -- A full join is never a loop within a loop, however few orders and sessions are expected.
    FULL JOIN (
        SELECT i.*
        FROM analytics_items AS i
        WHERE i.domain_id = $1 AND i.at >= $2 AND i.at < $3
    ) AS i ON i.at = c.at AND i.hit_id = c.hit_id
    FULL JOIN analytics_filtered_sessions($1, $2, $3, $4) AS s ON s.id = c.session_id
    WHERE num_nulls(c.hit_id, i.hit_id, s.id) = 0
    GROUP BY i.product, i.name, i.category, i.brand, i.variant
    ORDER BY cents DESC, orders DESC, i.product, i.name, i.category, i.brand, i.variant
    LIMIT $6
) AS f
LEFT JOIN analytics_values AS product ON product.domain_id = $1 AND product.id = f.product
LEFT JOIN analytics_values AS name ON name.domain_id = $1 AND name.id = f.name
LEFT JOIN analytics_values AS category ON category.domain_id = $1 AND category.id = f.category
LEFT JOIN analytics_values AS brand ON brand.domain_id = $1 AND brand.id = f.brand
LEFT JOIN analytics_values AS variant ON variant.domain_id = $1 AND variant.id = f.variant
