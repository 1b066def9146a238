WITH gone AS (
    DELETE FROM crawl_hosts WHERE domain_id = $1 AND NOT origin = ANY ($2)
)
INSERT INTO crawl_hosts (domain_id, origin, position)
SELECT $1, h.origin, (h.place - 1)::integer
FROM unnest($2::text[]) WITH ORDINALITY AS h (origin, place)
ON CONFLICT (domain_id, origin) DO UPDATE
SET position = excluded.position
