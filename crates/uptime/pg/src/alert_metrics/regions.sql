SELECT m.domain_id, wanted.region, r.state, s.next_check_at, now() AS present
FROM uptime_monitors AS m
CROSS JOIN LATERAL jsonb_array_elements_text(m.settings -> 'regions') WITH ORDINALITY AS wanted (region, place)
LEFT JOIN uptime_region_states AS r ON r.domain_id = m.domain_id AND r.region = wanted.region
LEFT JOIN uptime_schedules AS s ON s.domain_id = m.domain_id AND s.region = wanted.region
WHERE m.domain_id = ANY ($1)
ORDER BY m.domain_id, wanted.place
