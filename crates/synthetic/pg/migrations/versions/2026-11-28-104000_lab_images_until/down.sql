-- The version before takes a test that says until when its pictures are kept for one that has a picture of its page in the end.
-- Locks: ROW EXCLUSIVE on synthetic_runs while the rows of tests without one are written, of which there are few.

UPDATE synthetic_runs AS r
SET images_until = NULL
FROM synthetic_results AS t
WHERE t.run_id = r.id AND r.images_until IS NOT NULL AND t.filmstrip ->> 'final_screenshot' IS NULL;
