-- Takes the second factors of users away.
-- Locks: ACCESS EXCLUSIVE on what it drops.

DROP TABLE pending_sign_ins, recovery_codes, second_factors;
