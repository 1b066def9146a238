UPDATE indexing_sites AS s
SET leased_until = NULL, round_at = $4, failures = $5, last_failure = $6,
    -- URLs that somebody added meanwhile are inspected at once.
    next_round_at = CASE WHEN s.hurried_at > $7 THEN least($3, $4) ELSE $3 END
WHERE s.domain_id = $1 AND s.leased_until = $2
