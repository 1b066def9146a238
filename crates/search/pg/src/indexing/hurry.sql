-- The next round of a domain begins at once. One that is under way is followed by another.
INSERT INTO indexing_sites AS s (domain_id, workspace_id, next_round_at, hurried_at)
VALUES ($1, $2, $3, $3)
ON CONFLICT (domain_id) DO UPDATE
    SET next_round_at = least(s.next_round_at, excluded.next_round_at), hurried_at = excluded.hurried_at
