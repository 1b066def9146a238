-- Events that alert rules count, or that have them evaluated at once.
-- Locks: a new table; the reference takes SHARE ROW EXCLUSIVE on domains for a moment.

CREATE TABLE metric_events (
    number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    module text NOT NULL CHECK (module <> ''),
    metric text NOT NULL CHECK (metric <> ''),
    at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    context jsonb NOT NULL
);
CREATE INDEX metric_events_domain_idx ON metric_events (domain_id, at);
CREATE INDEX metric_events_recorded_idx ON metric_events (recorded_at);
COMMENT ON TABLE metric_events IS
    'Events of sites that alert rules count, such as a certificate that changed, or that have them evaluated at once, such as an incident. Groups write them in the transaction of the change; alerting reads them. Kept 30 days.';
COMMENT ON COLUMN metric_events.metric IS 'The metric that counts it, or another name where it only has rules evaluated.';
COMMENT ON COLUMN metric_events.context IS 'The words that an alert tells of it.';
