-- Locks: SHARE ROW EXCLUSIVE on workspaces for a moment.

CREATE OR REPLACE FUNCTION grant_by_plan() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    granted_now bigint;
BEGIN
    SELECT credits_per_cycle INTO granted_now FROM plans WHERE key = NEW.plan_key FOR SHARE;
    UPDATE credit_balances SET granted = granted_now WHERE workspace_id = NEW.id;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION grant_by_plan () IS 'Grants a workspace what its new plan does.';

CREATE OR REPLACE TRIGGER grant_by_plan AFTER UPDATE OF plan_key ON workspaces
    FOR EACH ROW WHEN (OLD.plan_key <> NEW.plan_key) EXECUTE FUNCTION grant_by_plan();
