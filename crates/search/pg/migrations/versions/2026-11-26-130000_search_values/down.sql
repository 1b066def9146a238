-- Takes back the wider numbers. It fails where one of them is in use that the narrower type does not hold.
-- Locks: ACCESS EXCLUSIVE on the tables of search data while they are rewritten, one after the other.

DROP FUNCTION IF EXISTS search_chosen_values (uuid, smallint, smallint, date, date, bigint, text, smallint);
DROP FUNCTION IF EXISTS search_chosen_pairs (uuid, smallint, smallint, date, date, bigint, text, smallint);
DROP FUNCTION IF EXISTS search_all_values (uuid, smallint, smallint, date, date);
DROP FUNCTION IF EXISTS search_rows (
    uuid, smallint, date, date, smallint, bigint[], bigint[], bigint[], text[], smallint[]
);
DELETE FROM schema_functions
WHERE name IN ('search_chosen_values', 'search_chosen_pairs', 'search_all_values', 'search_rows');

ALTER TABLE search_month_sums ALTER COLUMN value_id TYPE integer;
ALTER TABLE search_sums ALTER COLUMN value_id TYPE integer;
ALTER TABLE search_appearances ALTER COLUMN appearance_id TYPE integer, ALTER COLUMN page_id TYPE integer;
ALTER TABLE search_pairs ALTER COLUMN query_id TYPE integer, ALTER COLUMN page_id TYPE integer;
ALTER TABLE search_pages ALTER COLUMN page_id TYPE integer;
ALTER TABLE search_queries ALTER COLUMN query_id TYPE integer;
DROP INDEX search_values_last_month_idx;
ALTER TABLE search_values DROP COLUMN last_month, ALTER COLUMN id TYPE integer;
COMMENT ON TABLE search_values IS
    'The dictionary: queries, pages and looks of results, for which rows have a number. Rows never change.';
