DROP INDEX search_months_month_idx;
DROP INDEX search_hours_hour_idx;
DROP INDEX search_days_date_idx;
