-- Status pages: what a workspace shows to everybody of some of its sites.
-- Locks: SHARE ROW EXCLUSIVE on workspaces and domains for a moment, for the foreign keys.

CREATE TABLE status_pages (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    slug text NOT NULL CHECK (slug ~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$'),
    title text NOT NULL CHECK (length(title) BETWEEN 1 AND 100),
    created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX status_pages_slug_key ON status_pages (slug);
CREATE INDEX status_pages_workspace_id_idx ON status_pages (workspace_id, created_at, id);
COMMENT ON TABLE status_pages IS 'Pages without sign-in that show how some sites of a workspace stand. At most 50 a workspace.';
COMMENT ON COLUMN status_pages.slug IS 'The last part of its address, /status/{slug}.';

CREATE TABLE status_page_sites (
    page_id uuid NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
    domain_id uuid NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
    position integer NOT NULL CHECK (position > 0),
    PRIMARY KEY (page_id, domain_id)
);
CREATE INDEX status_page_sites_domain_id_idx ON status_page_sites (domain_id);
COMMENT ON TABLE status_page_sites IS 'Which sites a status page shows. Those of deleted domains are left out until they are restored.';
COMMENT ON COLUMN status_page_sites.position IS 'The order on the page, from 1.';
