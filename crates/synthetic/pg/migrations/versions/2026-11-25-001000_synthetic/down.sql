DROP TABLE synthetic_budgets;
DROP TABLE synthetic_results;
DROP TABLE synthetic_runs;
DROP TABLE synthetic_urls;
