-- A site that was not seen up yet is pending, which counts as neither up nor down.
-- Locks: ACCESS EXCLUSIVE on uptime_spans, which is read once.

ALTER TABLE uptime_spans
    DROP CONSTRAINT uptime_spans_state_check,
    ADD CONSTRAINT uptime_spans_state_check
        CHECK (state IN ('up', 'suspect', 'pending', 'down', 'maintenance', 'blocked', 'paused'));
COMMENT ON COLUMN uptime_spans.state IS
    'suspect and pending become down when the outage is confirmed. Until then suspect counts as up, and pending, which is suspect before the site was seen up, as neither.';
