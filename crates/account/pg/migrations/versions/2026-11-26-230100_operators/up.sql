-- Some users look after the installation itself: they throw its switches at the console.
-- Locks: ACCESS EXCLUSIVE on users for a moment; no row is rewritten.

ALTER TABLE users ADD COLUMN is_operator boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN users.is_operator IS 'Whether the user looks after the installation itself, whatever their roles in workspaces.';
