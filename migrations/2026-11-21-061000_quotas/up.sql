-- Quotas: limits of plans that credits do not replace, and what workspaces used of them.
-- Locks: SHARE ROW EXCLUSIVE on plans and workspaces for a moment (foreign keys).

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
    'What workspaces used of their quotas. Whoever uses some counts it in the transaction of the effect.';
COMMENT ON COLUMN quota_usage.period_start IS
    'The UTC day of inspector_urls, the first of the calendar month (UTC) of synthetic_runs. The others are stocks, whose one period began on 1970-01-01.';
COMMENT ON COLUMN quota_usage.used IS 'Of a stock what there is now; else what was used in the period.';
