DROP TABLE crux_lookups;
DROP TABLE crux_figures;
DROP TABLE crux_targets;
