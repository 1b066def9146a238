DROP INDEX sitemap_files_removed_idx;
