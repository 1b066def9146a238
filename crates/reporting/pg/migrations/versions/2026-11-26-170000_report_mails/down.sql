DROP TABLE report_deliveries;
DROP TABLE report_questions;
DROP TABLE report_recipients;
ALTER TABLE report_runs DROP COLUMN is_mailed;
ALTER TABLE report_templates DROP COLUMN recipients_count;
