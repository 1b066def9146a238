-- Changes no row where frames name two scripts of a release alike: one map can't be of both. A release that is added again keeps
-- its place among the others: errors are read by the release of their time.
INSERT INTO rum_source_maps AS known (domain_id, script, release, url, sources, bytes, map, uploaded_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (domain_id, script, release) DO UPDATE SET
    sources = excluded.sources, bytes = excluded.bytes, map = excluded.map
WHERE known.url = excluded.url
