-- Domain by domain, as the primary keys have them.
WITH old AS (
    SELECT p.domain_id, (day_before($1, $2) AT TIME ZONE 'UTC')::date AS day
    FROM analytics_progress AS p
), daily AS (
    DELETE FROM analytics_daily AS d
    USING old, unnest($3::smallint[] || -1::smallint) AS dimensions (dimension)
    WHERE d.domain_id = old.domain_id AND d.dimension = dimensions.dimension AND d.day < old.day
), orders AS (
    DELETE FROM analytics_dimension_orders AS o
    USING old, unnest($3::smallint[] || -5::smallint) AS dimensions (dimension)
    WHERE o.domain_id = old.domain_id AND o.dimension = dimensions.dimension AND o.day < old.day
), actions AS (
    DELETE FROM analytics_actions AS a
    USING old, unnest(ARRAY[1, 2, 3, 4]::smallint[]) AS kinds (kind)
    WHERE a.domain_id = old.domain_id AND a.kind = kinds.kind AND a.day < old.day
), revenue AS (
    DELETE FROM analytics_revenue AS r
    USING old
    WHERE r.domain_id = old.domain_id AND r.day < old.day
)
DELETE FROM analytics_pages AS p
USING old, unnest(ARRAY[0, 1]::smallint[]) AS grains (grain), unnest(ARRAY[0, 1, 2]::smallint[]) AS parts (part)
WHERE p.domain_id = old.domain_id AND p.grain = grains.grain AND p.part = parts.part AND p.starts_on < old.day
