//! The stores on a real PostgreSQL. Each test has a database of its own, cloned from a migrated template; the server
//! is the one of `PHAROS_TEST_DATABASE_URL`. Run with `--features testing`, or all together by `cargo xtask test`.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what fails here fails the test"
)]

mod admin;
mod alert_lists;
mod alert_retention;
mod alert_rules;
mod allowances;
mod analytics;
mod announcements;
mod backlog;
mod catalogue;
mod certificates;
mod channel_secrets;
mod charged;
mod checks;
mod claims;
mod clocks;
mod collection;
mod committers;
mod completion;
mod crawl_intervals;
mod credentials;
mod credit_log;
mod credit_reads;
mod cycles;
mod deliveries;
mod doubt;
mod erasure;
mod extremes;
mod filters;
mod full_pools;
mod grants;
mod harness;
mod incidents;
mod indexing_reads;
mod inspection_rounds;
mod jobs;
mod keyed;
mod keys;
mod lab_budgets;
mod lab_reads;
mod late_checks;
mod ledger;
mod ledger_model;
mod list_filters;
mod listener;
mod lost_connections;
mod migration_waits;
mod migrations;
mod model;
mod monitors;
mod newer;
mod node_clock;
mod notices;
mod notification_filters;
mod notification_reads;
mod outages;
mod outdated;
mod overdue;
mod paging;
mod partitions;
mod plain;
mod purse;
mod reads;
mod rechecks;
mod refusals;
mod registrations;
mod relay;
mod report_results;
mod report_templates;
mod retention;
mod retries;
mod robots_checks;
mod rollups;
mod runs;
mod schema;
mod sealing_keys;
mod search_imports;
mod search_page_days;
mod search_reads;
mod set_aside;
mod shares;
mod sign_in;
mod silence;
mod sitemaps;
mod unstored;
mod upgrade;
mod upkeep;
mod vitals;
