-- Search Console: numbers of values that do not run out, and the month that each value was last seen in, by which it is forgotten.
-- Locks: ACCESS EXCLUSIVE on the tables of search data while they are rewritten, one after the other.
--
-- The functions name the type of the numbers: they are made anew from their files.

DROP FUNCTION IF EXISTS search_chosen_values (uuid, smallint, smallint, date, date, integer, text, smallint);
DROP FUNCTION IF EXISTS search_chosen_pairs (uuid, smallint, smallint, date, date, integer, text, smallint);
DROP FUNCTION IF EXISTS search_all_values (uuid, smallint, smallint, date, date);
DROP FUNCTION IF EXISTS search_rows (
    uuid, smallint, date, date, smallint, integer[], integer[], integer[], text[], smallint[]
);
DELETE FROM schema_functions
WHERE name IN ('search_chosen_values', 'search_chosen_pairs', 'search_all_values', 'search_rows');

ALTER TABLE search_values
    ALTER COLUMN id TYPE bigint,
    ADD COLUMN last_month date NOT NULL DEFAULT date_trunc('month', now() AT TIME ZONE 'UTC')::date
        CHECK (extract(day FROM last_month) = 1);
CREATE INDEX search_values_last_month_idx ON search_values (last_month);
COMMENT ON TABLE search_values IS
    'The dictionary: queries, pages and looks of results, for which rows have a number. A value is forgotten with its last day.';
COMMENT ON COLUMN search_values.last_month IS 'The last month that has a day on which it was seen, or a later one.';

ALTER TABLE search_queries ALTER COLUMN query_id TYPE bigint;
ALTER TABLE search_pages ALTER COLUMN page_id TYPE bigint;
ALTER TABLE search_pairs ALTER COLUMN query_id TYPE bigint, ALTER COLUMN page_id TYPE bigint;
ALTER TABLE search_appearances ALTER COLUMN appearance_id TYPE bigint, ALTER COLUMN page_id TYPE bigint;
ALTER TABLE search_sums ALTER COLUMN value_id TYPE bigint;
ALTER TABLE search_month_sums ALTER COLUMN value_id TYPE bigint;
