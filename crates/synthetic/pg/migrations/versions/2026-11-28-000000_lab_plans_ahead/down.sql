-- Locks: ACCESS EXCLUSIVE on synthetic_urls for a moment.

DROP INDEX synthetic_urls_planned_idx;
