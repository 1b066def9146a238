UPDATE uptime_region_states SET state = jsonb_set(state, '{current}', '"suspect"') WHERE state ->> 'current' = 'pending';
UPDATE uptime_spans SET state = 'suspect' WHERE state = 'pending';
ALTER TABLE uptime_spans
    DROP CONSTRAINT uptime_spans_state_check,
    ADD CONSTRAINT uptime_spans_state_check
        CHECK (state IN ('up', 'suspect', 'down', 'maintenance', 'blocked', 'paused'));
COMMENT ON COLUMN uptime_spans.state IS 'suspect becomes down when the outage is confirmed, and counts as up until then.';
