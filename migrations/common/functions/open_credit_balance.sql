-- Locks: SHARE ROW EXCLUSIVE on workspaces for a moment.

CREATE OR REPLACE FUNCTION open_credit_balance() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO credit_balances (workspace_id, cycle_start, cycle_end, granted)
    SELECT NEW.id, cycle.cycle_start, cycle.cycle_end, p.credits_per_cycle
    FROM plans AS p
    CROSS JOIN credit_cycle((NEW.created_at AT TIME ZONE 'UTC')::date, NEW.created_at) AS cycle
    WHERE p.key = NEW.plan_key
    -- Whoever changes the plan comes before this, or sees the workspace.
    FOR SHARE OF p;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION open_credit_balance () IS 'Gives a new workspace its balance.';

CREATE OR REPLACE TRIGGER open_credit_balance AFTER INSERT ON workspaces
    FOR EACH ROW EXECUTE FUNCTION open_credit_balance();
