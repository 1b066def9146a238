-- Takes stored answers back: a key that is repeated has its effect again.
-- Locks: ACCESS EXCLUSIVE on the table that goes.

DROP FUNCTION claim_idempotency_key (uuid, text, integer);
DROP TABLE idempotency_records;
