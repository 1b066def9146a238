DROP TABLE sitemap_names;
