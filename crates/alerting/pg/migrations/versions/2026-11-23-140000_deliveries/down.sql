DROP TABLE alert_deliveries, alert_channels;
