DROP TABLE rum_source_maps;
