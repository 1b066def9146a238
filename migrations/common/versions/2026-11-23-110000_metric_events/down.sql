DROP TABLE metric_events;
