-- Search Console: days of the past that could not be read, and how far back imports reach of what is linked alone.
-- Locks: creates a table; its reference takes SHARE ROW EXCLUSIVE on domains for a moment. Rows of search_imports are locked.

CREATE TABLE search_missed_days (
    domain_id uuid NOT NULL REFERENCES domains (id),
    search_type smallint NOT NULL,
    date date NOT NULL,
    tried_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (domain_id, search_type, date)
);
COMMENT ON TABLE search_missed_days IS
    'Days of the linked property whose answers could not be read when the past was imported. They are tried again.';
COMMENT ON COLUMN search_missed_days.tried_at IS 'When the upstream was last asked for it.';

-- Days that came while a property or a search type was not imported are missing after these, so that their past is imported anew.
DELETE FROM search_imports AS i
WHERE NOT EXISTS (
    SELECT FROM search_properties AS s
    WHERE s.domain_id = i.domain_id AND s.site_url = i.site_url
        AND CASE i.search_type
            WHEN 1 THEN 'web'
            WHEN 2 THEN 'discover'
            WHEN 3 THEN 'news'
            WHEN 4 THEN 'google_news'
            WHEN 5 THEN 'image'
            WHEN 6 THEN 'video'
        END = ANY (s.search_types)
);
COMMENT ON TABLE search_imports IS
    'How far back each search type of the linked property was imported. A row goes with the link, and with the search type.';
