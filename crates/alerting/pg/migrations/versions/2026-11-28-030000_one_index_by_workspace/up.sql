-- Notifications of a workspace are read by their kinds alone. Every list and count names the kinds that it asks for, all of them
-- where it has no filter, and looks into notifications_kind_idx, which holds all that filters ask for. Beside it
-- notifications_workspace_idx cost the planner nearly the same for a workspace whose notifications are of one kind, so that by
-- chance lists read the rows of all that a deleted domain has left. Upkeep, which alone needed it, names the kinds, too.
-- Locks: ACCESS EXCLUSIVE on notifications for a moment.

DROP INDEX notifications_workspace_idx;
COMMENT ON INDEX notifications_kind_idx IS
    'Serves all that reads the notifications of a workspace, kind by kind. No other index is to begin with the workspace of all rows: which of two is taken would be chance.';
