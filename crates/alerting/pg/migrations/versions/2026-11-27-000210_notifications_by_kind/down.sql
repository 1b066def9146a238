DROP INDEX notifications_kind_idx;
