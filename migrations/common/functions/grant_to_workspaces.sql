-- Locks: SHARE ROW EXCLUSIVE on plans for a moment.

CREATE OR REPLACE FUNCTION grant_to_workspaces() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    -- In the order in which charges lock. The next statement sees who has left the plan until the locks were ours.
    PERFORM FROM credit_balances AS b
    JOIN workspaces AS w ON w.id = b.workspace_id
    WHERE w.plan_key = NEW.key
    ORDER BY b.workspace_id
    FOR NO KEY UPDATE OF b;
    UPDATE credit_balances AS b SET granted = NEW.credits_per_cycle
    FROM workspaces AS w
    WHERE w.id = b.workspace_id AND w.plan_key = NEW.key;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION grant_to_workspaces () IS 'Grants all workspaces of a plan what it was changed to.';

CREATE OR REPLACE TRIGGER grant_to_workspaces AFTER UPDATE OF credits_per_cycle ON plans
    FOR EACH ROW WHEN (OLD.credits_per_cycle <> NEW.credits_per_cycle) EXECUTE FUNCTION grant_to_workspaces();
