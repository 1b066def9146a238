ALTER TABLE crux_lookups DROP COLUMN form_factor, DROP COLUMN subject;
