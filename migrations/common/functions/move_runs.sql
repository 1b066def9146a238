-- Locks: SHARE ROW EXCLUSIVE on jobs for a moment.

CREATE OR REPLACE FUNCTION move_runs() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    touched uuid[];
BEGIN
    SELECT array_agg(DISTINCT n.run_id) INTO touched
    FROM jobs_now AS n
    JOIN jobs_before AS b ON b.id = n.id
    WHERE n.run_id IS NOT NULL
        AND (
            n.state <> b.state
            OR (n.total_items, n.completed_items, n.failed_items)
                IS DISTINCT FROM (b.total_items, b.completed_items, b.failed_items)
        );
    IF touched IS NULL THEN
        RETURN NULL;
    END IF;
    -- Workers end jobs of the same runs at once: all lock in one order, and who comes second sees what the first has done.
    PERFORM id FROM runs WHERE id = ANY(touched) ORDER BY id FOR UPDATE;
    UPDATE runs AS r
    SET status = o.status,
        started_at = o.started_at,
        finished_at = o.finished_at,
        expires_at = CASE
            WHEN o.status IN ('succeeded', 'partial') THEN o.finished_at + make_interval(secs => r.result_seconds)
        END,
        total_items = coalesce(r.requested_items, o.total_items, r.total_items),
        completed_items = coalesce(o.completed_items, r.completed_items),
        failed_items = coalesce(o.failed_items, r.failed_items),
        error_code = CASE WHEN o.has_failed THEN coalesce(o.error_code, 'internal-error') END,
        error_detail = CASE WHEN o.has_failed THEN coalesce(o.error_detail, o.untold) END
    FROM (
        SELECT j.run_id,
            CASE
                WHEN j.open > 0 THEN 'running'
                WHEN j.fruitless = j.jobs THEN 'failed'
                WHEN j.dead > 0 OR j.failed_items > 0 THEN 'partial'
                ELSE 'succeeded'
            END AS status,
            coalesce(run.started_at, j.started_at, j.finished_at) AS started_at,
            CASE WHEN j.open = 0 THEN greatest(j.finished_at, run.started_at, j.started_at) END AS finished_at,
            j.open = 0 AND (j.dead > 0 OR j.fruitless = j.jobs) AS has_failed,
            CASE WHEN j.dead > 0 THEN 'Pharos failed to do it.' ELSE 'All of its items failed.' END AS untold,
            -- No more than the columns hold; of nulls alone the least is not null.
            CASE WHEN j.total_items IS NOT NULL THEN least(j.total_items, 2147483647) END AS total_items,
            CASE WHEN j.completed_items IS NOT NULL THEN least(j.completed_items, 2147483647) END AS completed_items,
            CASE WHEN j.failed_items IS NOT NULL THEN least(j.failed_items, 2147483647) END AS failed_items,
            j.error_code,
            j.error_detail
        FROM (
            SELECT run_id,
                count(*) AS jobs,
                count(*) FILTER (WHERE state IN ('queued', 'running')) AS open,
                count(*) FILTER (WHERE state = 'dead') AS dead,
                -- Nothing came of them: they are dead, or all of their items failed.
                count(*) FILTER (
                    WHERE state = 'dead' OR (failed_items > 0 AND coalesce(completed_items, 0) = 0)
                ) AS fruitless,
                sum(total_items) AS total_items,
                sum(completed_items) AS completed_items,
                sum(failed_items) AS failed_items,
                min(started_at) AS started_at,
                max(finished_at) AS finished_at,
                -- The first job that failed for a reason that the caller is told.
                (array_agg(error_code ORDER BY finished_at, id)
                    FILTER (WHERE state = 'dead' AND error_code IS NOT NULL))[1] AS error_code,
                (array_agg(error_detail ORDER BY finished_at, id)
                    FILTER (WHERE state = 'dead' AND error_code IS NOT NULL))[1] AS error_detail
            FROM jobs
            WHERE run_id = ANY(touched)
            GROUP BY run_id
        ) AS j
        JOIN runs AS run ON run.id = j.run_id
    ) AS o
    WHERE r.id = o.run_id AND r.status IN ('queued', 'running');
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION move_runs () IS
    'Moves the runs on whose jobs changed their state or their items. The outcome of a run is read off its jobs, so that nothing counts twice.';

CREATE OR REPLACE TRIGGER move_runs AFTER UPDATE ON jobs
    REFERENCING OLD TABLE AS jobs_before NEW TABLE AS jobs_now
    FOR EACH STATEMENT EXECUTE FUNCTION move_runs();
