WITH daily AS (
    DELETE FROM analytics_daily AS d
    USING unnest($3::smallint[] || -1::smallint) AS each (dimension)
    WHERE d.domain_id = $1 AND d.dimension = each.dimension AND d.day = $2
), orders AS (
    DELETE FROM analytics_dimension_orders AS o
    USING unnest($3::smallint[] || -5::smallint) AS each (dimension)
    WHERE o.domain_id = $1 AND o.dimension = each.dimension AND o.day = $2
), actions AS (
    DELETE FROM analytics_actions AS a
    USING unnest(ARRAY[1, 2, 3, 4]::smallint[]) AS each (kind)
    WHERE a.domain_id = $1 AND a.kind = each.kind AND a.day = $2
), revenue AS (
    DELETE FROM analytics_revenue WHERE domain_id = $1 AND day = $2
)
DELETE FROM analytics_pages AS p
USING unnest(ARRAY[0, 1, 2]::smallint[]) AS each (part)
WHERE p.domain_id = $1 AND p.grain = 0 AND p.part = each.part AND p.starts_on = $2
