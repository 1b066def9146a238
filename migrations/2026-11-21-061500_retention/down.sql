DROP FUNCTION day_before (timestamptz, text);
