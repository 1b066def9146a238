WITH told AS (
    SELECT
        at, hit_id, i.step, i.product, i.name, i.category, i.brand, i.variant, i.quantity,
        CASE WHEN c.currency IN ('', $4) THEN i.price_cents END AS price_cents
    FROM (
        SELECT i.* FROM analytics_items AS i WHERE i.domain_id = $1 AND i.at >= $2 AND i.at < $3
    ) AS i
    -- A full join is never a loop within a loop, however few items are expected.
    FULL JOIN (
        SELECT c.at, c.hit_id, c.currency
        FROM analytics_commerce AS c
        WHERE c.domain_id = $1 AND c.at >= $2 AND c.at < $3 AND NOT c.is_repeated
    ) AS c USING (at, hit_id)
    WHERE num_nulls(i.place, c.currency) = 0
), products AS (
    SELECT
        t.product,
        (array_agg(t.name ORDER BY t.at DESC, t.hit_id) FILTER (WHERE t.name IS NOT NULL))[1] AS name,
        (array_agg(t.category ORDER BY t.at DESC, t.hit_id) FILTER (WHERE t.category IS NOT NULL))[1] AS category,
        (array_agg(t.brand ORDER BY t.at DESC, t.hit_id) FILTER (WHERE t.brand IS NOT NULL))[1] AS brand,
        (array_agg(t.variant ORDER BY t.at DESC, t.hit_id) FILTER (WHERE t.variant IS NOT NULL))[1] AS variant,
        count(DISTINCT t.hit_id) FILTER (WHERE t.step = 0) AS views,
        count(DISTINCT t.hit_id) FILTER (WHERE t.step = 1) AS add_to_carts,
        coalesce(sum(t.quantity) FILTER (WHERE t.step = 3), 0)::bigint AS units,
        coalesce(sum(t.quantity) FILTER (WHERE t.step = 3 AND t.price_cents IS NOT NULL), 0)::bigint AS priced_units,
        count(DISTINCT t.hit_id) FILTER (WHERE t.step = 3) AS orders,
        analytics_cents(sum(t.price_cents::numeric * t.quantity) FILTER (WHERE t.step = 3)) AS ordered_cents,
        analytics_cents(sum(t.price_cents::numeric * t.quantity) FILTER (WHERE t.step = 4)) AS refunded_cents
    FROM told AS t
    GROUP BY 1
), listed AS (
    SELECT p.*, row_number() OVER (ORDER BY p.ordered_cents - p.refunded_cents DESC, p.orders DESC, p.product) AS place
    FROM products AS p
    ORDER BY p.ordered_cents - p.refunded_cents DESC, p.orders DESC, p.product
    LIMIT $5 OFFSET $6
)
SELECT
    counted.total, id.value AS id, name.value AS name, category.value AS category, brand.value AS brand,
    variant.value AS variant,
    CASE WHEN l.product IS NULL THEN '{}' ELSE ARRAY[l.views, l.add_to_carts, l.units, l.priced_units, l.orders] END AS counts,
    coalesce(l.ordered_cents, 0) AS ordered_cents, coalesce(l.refunded_cents, 0) AS refunded_cents
FROM (SELECT count(*) AS total FROM products) AS counted
LEFT JOIN listed AS l ON true
LEFT JOIN analytics_values AS id ON id.domain_id = $1 AND id.id = l.product
LEFT JOIN analytics_values AS name ON name.domain_id = $1 AND name.id = l.name
LEFT JOIN analytics_values AS category ON category.domain_id = $1 AND category.id = l.category
LEFT JOIN analytics_values AS brand ON brand.domain_id = $1 AND brand.id = l.brand
LEFT JOIN analytics_values AS variant ON variant.domain_id = $1 AND variant.id = l.variant
ORDER BY l.place
