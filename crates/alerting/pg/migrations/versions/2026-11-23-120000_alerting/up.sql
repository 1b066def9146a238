-- Alert rules, how they stand, the alerts that they led to, and notifications.
-- Locks: new tables; the references take SHARE ROW EXCLUSIVE on domains, workspaces and users for a moment.

CREATE TABLE alert_rules (
    id uuid PRIMARY KEY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    workspace_id uuid NOT NULL,
    name text,
    module text NOT NULL CHECK (module <> ''),
    metric text NOT NULL CHECK (metric <> ''),
    operator text NOT NULL
        CHECK (operator IN ('gt', 'gte', 'lt', 'lte', 'eq', 'pct_decrease', 'pct_increase', 'anomaly')),
    threshold double precision NOT NULL CHECK (threshold BETWEEN -1e15 AND 1e15),
    comparison_window text
        CHECK (comparison_window IN ('previous_day', 'same_day_last_week', 'previous_7_days', 'previous_28_days')),
    evaluation_window text NOT NULL CHECK (evaluation_window IN ('latest', '1h', '24h', '7d', '28d')),
    min_sample integer CHECK (min_sample > 0),
    url text,
    form_factor text CHECK (form_factor IN ('mobile', 'desktop')),
    search_type text CHECK (search_type IN ('web', 'image', 'video', 'news', 'discover', 'google_news')),
    severity text NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
    enabled boolean NOT NULL,
    cooldown_minutes integer NOT NULL CHECK (cooldown_minutes >= 0),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by uuid REFERENCES users (id)
);
CREATE INDEX alert_rules_domain_idx ON alert_rules (domain_id, created_at, id);
CREATE INDEX alert_rules_workspace_idx ON alert_rules (workspace_id, created_at, id);
CREATE INDEX alert_rules_created_by_idx ON alert_rules (created_by);
COMMENT ON TABLE alert_rules IS 'The rules of domains: which metric must not do what.';
COMMENT ON COLUMN alert_rules.workspace_id IS 'The domain''s, which never changes.';
COMMENT ON COLUMN alert_rules.module IS 'Whose metric it is. Modules come with the versions of Pharos, so no CHECK on which.';
COMMENT ON COLUMN alert_rules.threshold IS 'A value, a percentage or deviations, by the operator.';
COMMENT ON COLUMN alert_rules.created_by IS 'Null: Pharos itself.';

CREATE TABLE alert_evaluations (
    rule_id uuid PRIMARY KEY REFERENCES alert_rules (id) ON DELETE CASCADE,
    domain_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    next_evaluation_at timestamptz,
    leased_until timestamptz,
    state text NOT NULL DEFAULT 'ok' CHECK (state IN ('ok', 'firing', 'no_data')),
    last_value double precision,
    last_evaluated_at timestamptz,
    last_fired_at timestamptz,
    is_open boolean NOT NULL DEFAULT false
) WITH (fillfactor = 70);
CREATE INDEX alert_evaluations_due_idx ON alert_evaluations (next_evaluation_at) WHERE next_evaluation_at IS NOT NULL;
CREATE INDEX alert_evaluations_leased_idx ON alert_evaluations (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX alert_evaluations_turns_idx ON alert_evaluations (workspace_id, next_evaluation_at);
CREATE INDEX alert_evaluations_domain_idx ON alert_evaluations (domain_id);
COMMENT ON TABLE alert_evaluations IS 'How each rule stands, and when it is evaluated next. Apart from the rules, since every evaluation writes it.';
COMMENT ON COLUMN alert_evaluations.next_evaluation_at IS 'Null: never, since the rule is disabled or its domain deleted.';
COMMENT ON COLUMN alert_evaluations.leased_until IS 'Until then one worker alone has it. Null: nobody has.';
COMMENT ON COLUMN alert_evaluations.is_open IS 'Whether alerts of it are open.';

CREATE TABLE alert_pending_events (
    number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    rule_id uuid NOT NULL,
    at timestamptz NOT NULL,
    context jsonb NOT NULL
);
CREATE INDEX alert_pending_events_rule_idx ON alert_pending_events (rule_id, number);
COMMENT ON TABLE alert_pending_events IS
    'Events that a rule has not counted yet. The evaluation that counts them deletes them, so none is lost and none counts twice.';
COMMENT ON COLUMN alert_pending_events.rule_id IS
    'No foreign key: whoever records an event waits for no change of a rule. Upkeep deletes those of rules that are gone.';

CREATE TABLE alert_wakes (
    number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    domain_id uuid NOT NULL
);
COMMENT ON TABLE alert_wakes IS 'Domains whose rules are to be evaluated at once. Whoever claims rules takes them away.';

CREATE TABLE notifications (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    domain_id uuid REFERENCES domains (id),
    kind text NOT NULL CHECK (kind IN ('alert', 'report_ready', 'report_failed', 'run_finished',
        'module_disconnected', 'quota_warning', 'subscription', 'announcement')),
    severity text NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
    module text,
    title text NOT NULL,
    body text NOT NULL,
    data jsonb NOT NULL,
    alert_id uuid,
    resource_path text,
    created_at timestamptz NOT NULL,
    resolved_at timestamptz
);
CREATE INDEX notifications_workspace_idx ON notifications (workspace_id, created_at, id);
CREATE INDEX notifications_domain_idx ON notifications (domain_id, kind, created_at, id) INCLUDE (severity, module);
CREATE INDEX notifications_own_idx ON notifications (workspace_id, created_at, id) WHERE domain_id IS NULL;
COMMENT ON TABLE notifications IS 'Everything that people of a workspace are told. Kept 12 months.';
COMMENT ON COLUMN notifications.domain_id IS 'Null: it is about the workspace.';
COMMENT ON COLUMN notifications.alert_id IS 'The alert that it tells of. No foreign key: each is forgotten in its own time.';
COMMENT ON COLUMN notifications.resource_path IS 'The path of the API to look at next.';

CREATE TABLE notification_read_marks (
    user_id uuid NOT NULL REFERENCES users (id),
    domain_id uuid NOT NULL REFERENCES domains (id),
    kind text NOT NULL CHECK (kind <> ''),
    read_before timestamptz NOT NULL,
    read_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, domain_id, kind, read_before)
);
CREATE INDEX notification_read_marks_domain_idx ON notification_read_marks (domain_id, kind, read_before);
COMMENT ON TABLE notification_read_marks IS
    'Up to where users have read the notifications of a kind about a domain at once. Kept as long as notifications before it.';
COMMENT ON COLUMN notification_read_marks.read_before IS
    'A notification that was made before then is read, since read_at of the first mark after it, unless notification_reads has a row of it.';

CREATE TABLE notification_reads (
    user_id uuid NOT NULL REFERENCES users (id),
    notification_id uuid NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    read_at timestamptz,
    PRIMARY KEY (user_id, notification_id)
);
CREATE INDEX notification_reads_notification_idx ON notification_reads (notification_id);
CREATE INDEX notification_reads_unread_idx ON notification_reads (user_id) WHERE read_at IS NULL;
COMMENT ON TABLE notification_reads IS
    'Who has read what one by one. Without a row a notification is read if a mark lies after it, and else unread.';
COMMENT ON COLUMN notification_reads.read_at IS 'Null: it is unread, whatever marks lie after it.';

CREATE TABLE alert_history (
    id uuid PRIMARY KEY,
    rule_id uuid REFERENCES alert_rules (id) ON DELETE SET NULL,
    domain_id uuid NOT NULL REFERENCES domains (id),
    workspace_id uuid NOT NULL,
    notification_id uuid NOT NULL,
    module text NOT NULL,
    metric text NOT NULL,
    metric_label text NOT NULL,
    unit text NOT NULL,
    operator text NOT NULL,
    threshold double precision NOT NULL,
    comparison_window text,
    evaluation_window text NOT NULL,
    url text,
    form_factor text,
    search_type text,
    value double precision NOT NULL,
    baseline_value double precision,
    change_pct double precision,
    severity text NOT NULL,
    title text NOT NULL,
    message text NOT NULL,
    context jsonb NOT NULL,
    fired_at timestamptz NOT NULL,
    resolved_at timestamptz,
    end_reason text CHECK (end_reason IN ('over', 'rule_changed', 'rule_disabled', 'rule_deleted', 'domain_deleted')),
    UNIQUE (rule_id, fired_at),
    CHECK (fired_at <= resolved_at),
    CHECK ((end_reason IS NULL) = (resolved_at IS NULL))
);
CREATE INDEX alert_history_workspace_idx ON alert_history (workspace_id, fired_at, id);
CREATE INDEX alert_history_domain_idx ON alert_history (domain_id, fired_at, id);
CREATE INDEX alert_history_open_idx ON alert_history (rule_id) WHERE resolved_at IS NULL;
CREATE INDEX alert_history_fired_idx ON alert_history (fired_at);
CREATE INDEX alert_history_incident_idx ON alert_history (domain_id, (context ->> 'incident_id'))
    WHERE context ->> 'incident_id' IS NOT NULL;
COMMENT ON TABLE alert_history IS 'Every alert: a rule that fired, with the figures of that moment. Kept 12 months.';
COMMENT ON COLUMN alert_history.rule_id IS 'Null: the rule was deleted.';
COMMENT ON COLUMN alert_history.resolved_at IS 'Null: it is open.';
COMMENT ON COLUMN alert_history.end_reason IS 'Why it is over. Null: it is open.';
