-- Search Console: the accounts that read properties, when a property is due, how far back each search type was imported.
-- Locks: ACCESS EXCLUSIVE on search_properties for a moment, no rewrite; the references take SHARE ROW EXCLUSIVE on domains,
-- users and workspaces.

CREATE TABLE search_accounts (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    kind text NOT NULL CHECK (kind IN ('oauth', 'service_account')),
    label text NOT NULL CHECK (label <> '' AND octet_length(label) <= 500),
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL,
    created_by uuid REFERENCES users (id)
);
CREATE INDEX search_accounts_workspace_idx ON search_accounts (workspace_id);
CREATE INDEX search_accounts_created_by_idx ON search_accounts (created_by);
COMMENT ON TABLE search_accounts IS 'Accounts at Google by which workspaces read their properties.';
COMMENT ON COLUMN search_accounts.label IS 'Its name for people: an address.';
COMMENT ON COLUMN search_accounts.sealed IS
    'The secret that proves who it is, encrypted with the shared secret search_accounts: one byte for the form, 12 of the nonce, then AES-256-GCM over the id and it.';
COMMENT ON COLUMN search_accounts.created_by IS 'Who linked it; null: the command line.';

ALTER TABLE search_properties
    ADD COLUMN account_id uuid REFERENCES search_accounts (id),
    ADD COLUMN next_sync_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN newest_due_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN leased_until timestamptz,
    ADD COLUMN sync_failures integer NOT NULL DEFAULT 0 CHECK (sync_failures >= 0),
    ADD COLUMN last_failure text;
CREATE INDEX search_properties_account_idx ON search_properties (account_id);
CREATE INDEX search_properties_due_idx ON search_properties (next_sync_at);
CREATE INDEX search_properties_leased_idx ON search_properties (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX search_properties_workspace_idx ON search_properties (workspace_id, next_sync_at);
COMMENT ON COLUMN search_properties.account_id IS 'The account that reads it; null: none does, and nothing is imported.';
COMMENT ON COLUMN search_properties.next_sync_at IS 'When anything of it is due: the newest days, or a piece of the past.';
COMMENT ON COLUMN search_properties.newest_due_at IS 'When the newest days are due.';
COMMENT ON COLUMN search_properties.leased_until IS
    'Until then one node alone imports, and this moment is its claim; a node that dies loses it then. Null: nobody imports.';
COMMENT ON COLUMN search_properties.sync_failures IS 'How often in a row imports failed.';
COMMENT ON COLUMN search_properties.last_failure IS 'Why the last import was not whole; null: it was.';

CREATE TABLE search_imports (
    domain_id uuid NOT NULL REFERENCES domains (id),
    site_url text NOT NULL,
    search_type smallint NOT NULL,
    reached date NOT NULL,
    PRIMARY KEY (domain_id, site_url, search_type)
);
COMMENT ON TABLE search_imports IS 'How far back each search type of a property was imported.';
COMMENT ON COLUMN search_imports.reached IS 'The oldest day that was imported, with all after it.';
