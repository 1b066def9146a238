-- Lists of lab tests by profile, status and trigger, of a domain and of a page.
-- Locks: SHARE on synthetic_runs while the indexes are made.

CREATE INDEX synthetic_runs_found_idx ON synthetic_runs
    (domain_id, profile_id, status, trigger, requested_at, id);
CREATE INDEX synthetic_runs_page_found_idx ON synthetic_runs
    (url_id, profile_id, status, trigger, requested_at, id);
COMMENT ON INDEX synthetic_runs_found_idx IS
    'Serves lists of one profile, status or trigger: a page of each combination of them that is asked for.';
COMMENT ON INDEX synthetic_runs_page_found_idx IS 'The same of one page.';
