-- Channels, and what is delivered to them.
-- Locks: new tables; the references take SHARE ROW EXCLUSIVE on workspaces, domains and notifications for a moment.

CREATE TABLE alert_channels (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    domain_id uuid REFERENCES domains (id),
    name text NOT NULL CHECK (name <> ''),
    target jsonb NOT NULL,
    min_severity text NOT NULL CHECK (min_severity IN ('info', 'warning', 'critical')),
    modules text[],
    quiet_hours text,
    off_reason text CHECK (off_reason <> ''),
    failing_since timestamptz,
    failure_told_at timestamptz,
    next_send_at timestamptz,
    unsubscribe_token uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK (cardinality(modules) > 0)
);
CREATE INDEX alert_channels_workspace_idx ON alert_channels (workspace_id, created_at, id);
CREATE INDEX alert_channels_domain_idx ON alert_channels (domain_id);
COMMENT ON TABLE alert_channels IS 'Where notifications of a workspace are delivered: mail, webhooks, chat services.';
COMMENT ON COLUMN alert_channels.domain_id IS 'Only what is about this domain is delivered; null: all of the workspace.';
COMMENT ON COLUMN alert_channels.target IS 'The kind of the channel, its address, and the secrets that it takes.';
COMMENT ON COLUMN alert_channels.modules IS 'Only what is about these modules is delivered; null: all.';
COMMENT ON COLUMN alert_channels.quiet_hours IS 'When only what is critical is delivered, such as 22:00-07:00 Europe/Berlin. Null: never.';
COMMENT ON COLUMN alert_channels.off_reason IS 'Why it is switched off, for people. Null: it is on.';
COMMENT ON COLUMN alert_channels.failing_since IS 'The first of the failures since the last success. Null: none.';
COMMENT ON COLUMN alert_channels.failure_told_at IS 'When a notification told of that.';
COMMENT ON COLUMN alert_channels.next_send_at IS
    'Deliveries wait until then: mails gather, and a receiver that failed is left alone.';
COMMENT ON COLUMN alert_channels.unsubscribe_token IS 'Random; stands in the link by which a reader of its mails switches it off.';

CREATE TABLE alert_deliveries (
    id uuid PRIMARY KEY,
    channel_id uuid NOT NULL REFERENCES alert_channels (id) ON DELETE CASCADE,
    notification_id uuid REFERENCES notifications (id) ON DELETE CASCADE,
    event text NOT NULL CHECK (event IN ('raised', 'resolved', 'test')),
    state text NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'dropped')),
    taken_until timestamptz,
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_error text,
    created_at timestamptz NOT NULL,
    ended_at timestamptz,
    UNIQUE (notification_id, channel_id, event),
    CHECK ((event = 'test') = (notification_id IS NULL)),
    CHECK ((state = 'queued') = (ended_at IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX alert_deliveries_channel_idx ON alert_deliveries (channel_id, created_at, id);
CREATE INDEX alert_deliveries_queued_idx ON alert_deliveries (channel_id, created_at, id) WHERE state = 'queued';
CREATE INDEX alert_deliveries_created_idx ON alert_deliveries (created_at) WHERE notification_id IS NULL;
COMMENT ON TABLE alert_deliveries IS
    'Each notification on its way to each channel. The job of the same id sends it. Kept as long as its notification.';
COMMENT ON COLUMN alert_deliveries.notification_id IS 'Null: a test.';
COMMENT ON COLUMN alert_deliveries.state IS 'Dropped: there was no longer anything to send, or nowhere to send it to.';
COMMENT ON COLUMN alert_deliveries.taken_until IS 'Until then whoever took it sends it, alone or with others in one mail.';
