-- Changes no row where frames name two scripts of a release alike: one map can't be of both.
INSERT INTO rum_source_maps AS known (domain_id, script, release, url, sources, bytes, map, uploaded_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (domain_id, script, release) DO UPDATE SET
    sources = excluded.sources, bytes = excluded.bytes, map = excluded.map, uploaded_at = excluded.uploaded_at
WHERE known.url = excluded.url
