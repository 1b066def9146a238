-- Search Console: what a site's owner says about search.
-- Locks: creates a table only; its references take SHARE ROW EXCLUSIVE on domains and users for a moment.

CREATE TABLE search_configs (
    domain_id uuid PRIMARY KEY REFERENCES domains (id),
    settings jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    updated_by uuid REFERENCES users (id)
);
CREATE INDEX search_configs_updated_by_idx ON search_configs (updated_by);
COMMENT ON TABLE search_configs IS 'The settings of a domain''s search: brand, search types, what analyses leave out.';
COMMENT ON COLUMN search_configs.updated_by IS 'Who changed them last; null: Pharos itself.';
