-- Grants that are over leave, and their clients stay; nodes hear of a client that was verified, and of nothing that did
-- not change.
-- Locks: ACCESS EXCLUSIVE on oauth_clients while its new column is filled, SHARE ROW EXCLUSIVE on oauth_grants until the
-- end.

-- Nobody gets a first grant unseen.
LOCK TABLE oauth_grants IN SHARE ROW EXCLUSIVE MODE;

ALTER TABLE oauth_clients ADD COLUMN granted_at timestamptz;
UPDATE oauth_clients AS c SET granted_at = g.granted_at
FROM (SELECT client_id, min(created_at) AS granted_at FROM oauth_grants GROUP BY client_id) AS g
WHERE g.client_id = c.id;
COMMENT ON COLUMN oauth_clients.granted_at IS 'When it first got a grant, which may have left since; null: never.';
COMMENT ON TABLE oauth_grants IS 'What users granted to apps. One whose refresh tokens are all over is deleted.';

-- A trigger for each statement fires where no row is touched, too: whoever repeats a revocation would have every node
-- drop what it knows.
DROP TRIGGER notify_change ON oauth_grants;
CREATE TRIGGER notify_change AFTER DELETE OR UPDATE OF revoked_at
    ON oauth_grants FOR EACH ROW EXECUTE FUNCTION notify_change();
CREATE TRIGGER notify_truncation AFTER TRUNCATE
    ON oauth_grants FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
CREATE TRIGGER notify_change AFTER DELETE OR UPDATE OF verified_at
    ON oauth_clients FOR EACH ROW EXECUTE FUNCTION notify_change();
CREATE TRIGGER notify_truncation AFTER TRUNCATE
    ON oauth_clients FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
