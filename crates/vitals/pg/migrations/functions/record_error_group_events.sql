-- Locks: SHARE ROW EXCLUSIVE on rum_error_groups for a moment.

CREATE OR REPLACE FUNCTION record_error_group_events() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO metric_events (domain_id, module, metric, at, context)
    SELECT g.domain_id, 'rum', 'new_error_groups', g.first_seen_at, jsonb_build_object('error_id', g.id)
    FROM new_groups AS g
    JOIN domains AS d ON d.id = g.domain_id AND d.deleted_at IS NULL
    ORDER BY g.first_seen_at;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION record_error_group_events () IS
    'Kinds of errors are seen for the first time: an event for each. Those that were seen before are updated, and are no rows of it.';

CREATE OR REPLACE TRIGGER record_new_error_groups AFTER INSERT ON rum_error_groups
    REFERENCING NEW TABLE AS new_groups
    FOR EACH STATEMENT EXECUTE FUNCTION record_error_group_events();
