-- Plans and their quotas, users, workspaces, members, domains, and what workspaces used of their quotas.
-- Locks: creates tables only; nothing that exists is touched.

CREATE TABLE plans (
    key text PRIMARY KEY CHECK (key ~ '^[a-z0-9-]{1,40}$'),
    name text NOT NULL CHECK (name <> ''),
    credits_per_cycle bigint NOT NULL CHECK (credits_per_cycle >= 0),
    modules text[] NOT NULL CHECK (
        array_position(modules, NULL) IS NULL
        AND modules <@ ARRAY[
            'uptime', 'rum', 'crux', 'synthetic', 'gsc', 'indexing', 'robots', 'sitemap', 'analytics',
            'alerts', 'notifications', 'reports'
        ]
    )
);
COMMENT ON TABLE plans IS 'The modules and quotas that a workspace may use.';
COMMENT ON COLUMN plans.credits_per_cycle IS 'Credits that each monthly cycle begins with.';
COMMENT ON COLUMN plans.modules IS 'Modules of the plan; platform and credits belong to every plan and are not listed.';

INSERT INTO plans (key, name, credits_per_cycle, modules) VALUES (
    'default', 'Default', 1000000,
    ARRAY[
        'uptime', 'rum', 'crux', 'synthetic', 'gsc', 'indexing', 'robots', 'sitemap', 'analytics',
        'alerts', 'notifications', 'reports'
    ]
);

CREATE TABLE plan_quotas (
    plan_key text NOT NULL REFERENCES plans (key),
    resource text NOT NULL CHECK (
        resource IN (
            'inspector_urls', 'synthetic_runs', 'tracked_urls_crux', 'tracked_urls_synthetic',
            'monitored_urls_indexing', 'report_templates'
        )
    ),
    quota_limit bigint NOT NULL CHECK (quota_limit >= 0),
    PRIMARY KEY (plan_key, resource)
);
COMMENT ON TABLE plan_quotas IS 'How much a plan has of what credits do not replace. No row: without a limit.';

CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text NOT NULL CHECK (email <> ''),
    name text NOT NULL CHECK (name <> ''),
    disabled_at timestamptz,
    created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX users_email_key ON users (lower(email));
CREATE INDEX users_created_at_idx ON users (created_at, id);
COMMENT ON TABLE users IS 'People.';
COMMENT ON COLUMN users.email IS 'Unique whatever its case.';
COMMENT ON COLUMN users.disabled_at IS 'When the user was disabled; while set, their keys do not authenticate.';

CREATE TABLE workspaces (
    id uuid PRIMARY KEY,
    name text NOT NULL CHECK (name <> ''),
    plan_key text NOT NULL REFERENCES plans (key),
    subscription_status text NOT NULL DEFAULT 'active'
        CHECK (subscription_status IN ('trialing', 'active', 'past_due', 'canceled', 'expired')),
    created_at timestamptz NOT NULL
);
CREATE INDEX workspaces_plan_key_idx ON workspaces (plan_key);
CREATE INDEX workspaces_created_at_idx ON workspaces (created_at, id);
COMMENT ON TABLE workspaces IS 'Who owns domains and pays for calls.';
COMMENT ON COLUMN workspaces.created_at IS 'The day of this is the anchor of the billing cycles.';

CREATE TABLE members (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    user_id uuid NOT NULL REFERENCES users (id),
    role text NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
    created_at timestamptz NOT NULL,
    credit_cap bigint CHECK (credit_cap >= 0),
    PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX members_user_id_idx ON members (user_id);
CREATE INDEX members_credit_cap_idx ON members (workspace_id, user_id) WHERE credit_cap IS NOT NULL;
COMMENT ON TABLE members IS 'Which users belong to which workspaces, and as what.';
COMMENT ON COLUMN members.credit_cap IS
    'How many of the workspace''s credits the member''s credentials may use in a cycle, all together; null: no cap.';

CREATE TABLE domains (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    hostname text NOT NULL CHECK (hostname = lower(hostname) AND length(hostname) BETWEEN 1 AND 253),
    display_name text,
    verified boolean NOT NULL DEFAULT false,
    timezone_hint text,
    created_at timestamptz NOT NULL,
    deleted_at timestamptz
);
CREATE UNIQUE INDEX domains_workspace_id_hostname_key ON domains (workspace_id, hostname)
    WHERE deleted_at IS NULL;
CREATE INDEX domains_workspace_id_idx ON domains (workspace_id, created_at, id);
COMMENT ON TABLE domains IS 'The sites that a workspace has monitored. Deleted softly: their history stays.';
COMMENT ON COLUMN domains.hostname IS 'ASCII (IDNA), lower case, without a trailing dot.';
COMMENT ON COLUMN domains.verified IS 'Whether its owner has shown that it is theirs.';
COMMENT ON COLUMN domains.timezone_hint IS 'An IANA time zone, to be preferred when figures are shown.';
COMMENT ON COLUMN domains.deleted_at IS 'When it was deleted; while set, the API does not show it and nothing checks it.';

CREATE TABLE quota_usage (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    resource text NOT NULL,
    period_start date NOT NULL,
    used bigint NOT NULL CHECK (used >= 0),
    PRIMARY KEY (workspace_id, resource, period_start),
    CHECK (
        CASE resource
            WHEN 'inspector_urls' THEN period_start > '1970-01-01'
            WHEN 'synthetic_runs' THEN period_start > '1970-01-01' AND extract(day FROM period_start) = 1
            WHEN 'tracked_urls_crux' THEN period_start = '1970-01-01'
            WHEN 'tracked_urls_synthetic' THEN period_start = '1970-01-01'
            WHEN 'monitored_urls_indexing' THEN period_start = '1970-01-01'
            WHEN 'report_templates' THEN period_start = '1970-01-01'
            ELSE false
        END
    )
);
COMMENT ON TABLE quota_usage IS
    'The parts of their quotas that workspaces used. Whoever uses some counts it in the transaction of the effect.';
COMMENT ON COLUMN quota_usage.period_start IS
    'The UTC day of inspector_urls, the first of the calendar month (UTC) of synthetic_runs. The others are stocks, whose one period began on 1970-01-01.';
COMMENT ON COLUMN quota_usage.used IS 'The number that there is now of a stock; else the number that was used in the period.';
