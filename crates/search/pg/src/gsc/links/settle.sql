UPDATE search_properties AS s
SET status = $2,
    last_sync_at = CASE WHEN $3 IS NULL THEN s.last_sync_at ELSE $4 END,
    last_sync_status = coalesce($3, s.last_sync_status),
    data_through = greatest(s.data_through, $6),
    -- An import that ended before it came so far says nothing of the days that may still change.
    provisional_through = CASE
        WHEN $5
        THEN nullif(greatest(coalesce($7, s.provisional_through), s.data_through, $6), greatest(s.data_through, $6))
        ELSE s.provisional_through
    END,
    first_incomplete_date = CASE WHEN $5 THEN $8 ELSE s.first_incomplete_date END,
    first_incomplete_hour = CASE WHEN $5 THEN $9 ELSE s.first_incomplete_hour END,
    -- A piece of the past that went well does not mend the newest days.
    last_failure = CASE WHEN $3 IS NULL AND $13 > 0 THEN coalesce($10, s.last_failure) ELSE $10 END,
    -- A clock that is ahead puts nothing off for longer.
    next_sync_at = CASE WHEN $11 IS NULL THEN s.next_sync_at ELSE least($11, now() + interval '1 day') END,
    newest_due_at = CASE WHEN $12 IS NULL THEN s.newest_due_at ELSE least($12, now() + interval '1 day') END,
    leased_until = CASE WHEN $11 IS NULL THEN s.leased_until END,
    sync_failures = coalesce($13, s.sync_failures)
WHERE s.domain_id = $1
