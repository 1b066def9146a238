UPDATE robots_versions
-- It may have been found by a clock that has been set back since.
SET replaced_at = greatest(detected_at, $2)
WHERE domain_id = $1 AND replaced_at IS NULL
