DELETE FROM analytics_pages AS p
USING unnest(ARRAY[0, 1, 2]::smallint[]) AS each (part)
WHERE p.domain_id = $1 AND p.grain = 1 AND p.part = each.part AND p.starts_on = $2
