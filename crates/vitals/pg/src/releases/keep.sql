-- One that is known keeps its moment, unless $4 says that this is it.
INSERT INTO rum_releases AS known (domain_id, name, released_at)
VALUES ($1, $2, $3)
ON CONFLICT (domain_id, name) DO UPDATE SET
    released_at = CASE WHEN $4 THEN excluded.released_at ELSE known.released_at END
RETURNING released_at
