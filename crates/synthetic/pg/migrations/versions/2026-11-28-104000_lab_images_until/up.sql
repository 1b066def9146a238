-- Tests that have frames, but no picture of their page in the end, say until when the frames are kept.
-- Locks: ROW EXCLUSIVE on synthetic_runs while the rows of such tests are written, of which there are few.

UPDATE synthetic_runs AS r
SET images_until = coalesce(r.files_until, r.finished_at + interval '90 days')
FROM synthetic_results AS t
WHERE t.run_id = r.id
    AND r.images_until IS NULL
    AND (t.filmstrip -> 'frames' <> '[]' OR t.filmstrip ->> 'full_page_screenshot' IS NOT NULL);
