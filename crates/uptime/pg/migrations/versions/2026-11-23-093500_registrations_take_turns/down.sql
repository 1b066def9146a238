-- Locks: ACCESS EXCLUSIVE on domain_registrations for a moment.

DROP INDEX domain_registrations_turns_idx;
DROP INDEX domain_registrations_leased_idx;
ALTER TABLE domain_registrations DROP COLUMN workspace_id;
