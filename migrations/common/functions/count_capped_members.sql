-- Locks: SHARE ROW EXCLUSIVE on members for a moment.

CREATE OR REPLACE FUNCTION count_capped_members() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.credit_cap IS NOT NULL THEN
        UPDATE credit_balances SET capped_members = capped_members - 1 WHERE workspace_id = OLD.workspace_id;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.credit_cap IS NOT NULL THEN
        UPDATE credit_balances SET capped_members = capped_members + 1 WHERE workspace_id = NEW.workspace_id;
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION count_capped_members () IS 'Counts a workspace''s members with a cap in its balance.';

CREATE OR REPLACE TRIGGER count_capped_members AFTER INSERT OR DELETE OR UPDATE OF credit_cap, workspace_id ON members
    FOR EACH ROW EXECUTE FUNCTION count_capped_members();
