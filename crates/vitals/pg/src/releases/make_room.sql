-- $3: the release that was just noted. It stays, even where its moment is before those of all others.
DELETE FROM rum_releases
WHERE domain_id = $1 AND name IN (
    SELECT r.name FROM rum_releases AS r
    WHERE r.domain_id = $1
    ORDER BY (r.name = $3) DESC, r.released_at DESC, r.name DESC
    OFFSET $2
)
