-- Field data: the page or origin that a lookup was of, and the devices, also where it found nothing.
-- Locks: adds two columns without a value, which takes ACCESS EXCLUSIVE on a small table for a moment.

ALTER TABLE crux_lookups ADD COLUMN subject jsonb, ADD COLUMN form_factor text;
COMMENT ON COLUMN crux_lookups.subject IS
    'The page or origin that was asked for. Null: an older version looked it up, and the record alone says it.';
COMMENT ON COLUMN crux_lookups.form_factor IS 'The devices that were asked for; null as the subject is.';
