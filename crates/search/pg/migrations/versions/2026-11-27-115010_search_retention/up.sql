-- Search Console: what is too old is found by its time, and not by reading all that is stored.
-- Locks: SHARE on search_days, search_hours and search_months while their indices are built, so that imports wait.

CREATE INDEX search_days_date_idx ON search_days (date);
CREATE INDEX search_hours_hour_idx ON search_hours (hour);
CREATE INDEX search_months_month_idx ON search_months (month);
