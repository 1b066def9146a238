-- The regions are read out of the settings as they are, which this version may not know whole.
SELECT m.settings, m.enabled, ARRAY(
    SELECT r.region
    FROM jsonb_array_elements_text(
        CASE jsonb_typeof(m.settings -> 'regions') WHEN 'array' THEN m.settings -> 'regions' ELSE '[]' END
    ) AS r (region)
    WHERE r.region IS NOT NULL
) AS regions, now() AS present
FROM uptime_monitors AS m
WHERE m.domain_id = $1
FOR UPDATE OF m
