-- Search Console: the property of a domain, its days by query, page, country, device and look, and their sums.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on domains and users for a moment.
--
-- Tables that each imported day writes to refer to no other: checking that for each row costs more than storing it, and
-- domains are never deleted but softly. Days are labels of the upstream, in Pacific time.

CREATE TABLE search_properties (
    domain_id uuid PRIMARY KEY REFERENCES domains (id),
    workspace_id uuid NOT NULL,
    site_url text NOT NULL CHECK (octet_length(site_url) <= 2000),
    permission text NOT NULL CHECK (permission IN ('owner', 'full_user', 'restricted_user', 'unverified_user')),
    status text NOT NULL
        CHECK (status IN ('connected', 'reauthorization_required', 'permission_lost', 'pending')),
    search_types text[] NOT NULL DEFAULT '{web}',
    linked_at timestamptz NOT NULL,
    linked_by uuid REFERENCES users (id),
    last_sync_at timestamptz,
    last_sync_status text CHECK (last_sync_status IN ('succeeded', 'partial', 'failed')),
    data_through date,
    provisional_through date,
    first_incomplete_date date,
    first_incomplete_hour timestamptz,
    backfill_from date,
    CHECK ((last_sync_at IS NULL) = (last_sync_status IS NULL))
);
CREATE INDEX search_properties_linked_by_idx ON search_properties (linked_by);
COMMENT ON TABLE search_properties IS 'The property of Search Console that a domain is linked to, and how far it is imported.';
COMMENT ON COLUMN search_properties.site_url IS 'Its name at the upstream: sc-domain:ada.example or https://ada.example/.';
COMMENT ON COLUMN search_properties.linked_by IS 'Who linked it; null: the command line.';
COMMENT ON COLUMN search_properties.data_through IS 'The newest day whose figures are final; null: none was imported.';
COMMENT ON COLUMN search_properties.provisional_through IS 'The newest day with figures that may still change.';
COMMENT ON COLUMN search_properties.backfill_from IS 'The oldest day that was imported.';

CREATE TABLE search_values (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    kind smallint NOT NULL CHECK (kind IN (1, 2, 3)),
    value text NOT NULL CHECK (octet_length(value) <= 2600)
);
CREATE UNIQUE INDEX search_values_value_key ON search_values (domain_id, kind, value);
COMMENT ON TABLE search_values IS 'The dictionary: queries, pages and looks of results, for which rows have a number. Rows never change.';
COMMENT ON COLUMN search_values.kind IS '1: a query. 2: a page. 3: a look.';

CREATE TABLE search_days (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    is_final boolean NOT NULL,
    clicks bigint NOT NULL CHECK (clicks >= 0),
    impressions bigint NOT NULL CHECK (impressions >= 0),
    position_sum double precision NOT NULL,
    imported_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (domain_id, search_type, date)
);
COMMENT ON TABLE search_days IS 'A row for each day on which the property had anything in a search type: its totals, counted by property.';

CREATE TABLE search_places (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
    device smallint NOT NULL CHECK (device BETWEEN 0 AND 3),
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    PRIMARY KEY (domain_id, search_type, date, country, device)
) PARTITION BY RANGE (date);
COMMENT ON TABLE search_places IS 'Days by country and device, counted by property.';
COMMENT ON COLUMN search_places.country IS 'ISO 3166-1 alpha-2; ZZ: unknown.';
COMMENT ON COLUMN search_places.device IS '1: desktop. 2: mobile. 3: tablet. 0: the upstream does not tell.';
CREATE TABLE search_places_default PARTITION OF search_places DEFAULT;
COMMENT ON TABLE search_places_default IS 'Days of months that have no partition.';

CREATE TABLE search_queries (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    query_id integer NOT NULL,
    country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
    device smallint NOT NULL CHECK (device BETWEEN 0 AND 3),
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    PRIMARY KEY (domain_id, search_type, date, query_id, country, device)
) PARTITION BY RANGE (date);
CREATE INDEX search_queries_query_idx ON search_queries (domain_id, search_type, query_id, date);
COMMENT ON TABLE search_queries IS 'Days by query, country and device, counted by property. Rare queries are not told by the upstream.';
CREATE TABLE search_queries_default PARTITION OF search_queries DEFAULT;
COMMENT ON TABLE search_queries_default IS 'Days of months that have no partition.';

CREATE TABLE search_pages (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    page_id integer NOT NULL,
    country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
    device smallint NOT NULL CHECK (device BETWEEN 0 AND 3),
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    PRIMARY KEY (domain_id, search_type, date, page_id, country, device)
) PARTITION BY RANGE (date);
CREATE INDEX search_pages_page_idx ON search_pages (domain_id, search_type, page_id, date);
COMMENT ON TABLE search_pages IS 'Days by page, country and device, counted by page.';
CREATE TABLE search_pages_default PARTITION OF search_pages DEFAULT;
COMMENT ON TABLE search_pages_default IS 'Days of months that have no partition.';

CREATE TABLE search_pairs (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    query_id integer NOT NULL,
    page_id integer NOT NULL,
    country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
    device smallint NOT NULL CHECK (device BETWEEN 0 AND 3),
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    PRIMARY KEY (domain_id, search_type, date, query_id, page_id, country, device)
) PARTITION BY RANGE (date);
CREATE INDEX search_pairs_query_idx ON search_pairs (domain_id, search_type, query_id, date);
CREATE INDEX search_pairs_page_idx ON search_pairs (domain_id, search_type, page_id, date);
COMMENT ON TABLE search_pairs IS 'Days by query, page, country and device, counted by page. Rare queries are not told by the upstream.';
CREATE TABLE search_pairs_default PARTITION OF search_pairs DEFAULT;
COMMENT ON TABLE search_pairs_default IS 'Days of months that have no partition.';

CREATE TABLE search_appearances (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    appearance_id integer NOT NULL,
    page_id integer NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    PRIMARY KEY (domain_id, search_type, date, appearance_id, page_id)
) PARTITION BY RANGE (date);
CREATE INDEX search_appearances_page_idx ON search_appearances (domain_id, search_type, page_id, date);
COMMENT ON TABLE search_appearances IS 'Days by the look of the result and page, counted by page.';
CREATE TABLE search_appearances_default PARTITION OF search_appearances DEFAULT;
COMMENT ON TABLE search_appearances_default IS 'Days of months that have no partition.';

CREATE TABLE search_hours (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    hour timestamptz NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    PRIMARY KEY (domain_id, search_type, hour)
);
COMMENT ON TABLE search_hours IS 'The last ten days by hour; none of them is final.';

CREATE TABLE search_sums (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    kind smallint NOT NULL CHECK (kind IN (1, 2)),
    date date NOT NULL,
    value_id integer NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    PRIMARY KEY (domain_id, search_type, kind, date, value_id)
) PARTITION BY RANGE (date);
CREATE INDEX search_sums_value_idx ON search_sums (domain_id, search_type, kind, value_id, date);
COMMENT ON TABLE search_sums IS 'Days by query and by page over all places: what lists without a filter read.';
COMMENT ON COLUMN search_sums.kind IS '1: queries, counted by property. 2: pages, counted by page.';
CREATE TABLE search_sums_default PARTITION OF search_sums DEFAULT;
COMMENT ON TABLE search_sums_default IS 'Sums of months that have no partition.';

CREATE TABLE search_month_sums (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    kind smallint NOT NULL CHECK (kind IN (1, 2)),
    month date NOT NULL CHECK (extract(day FROM month) = 1),
    value_id integer NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    PRIMARY KEY (domain_id, search_type, kind, month, value_id)
);
COMMENT ON TABLE search_month_sums IS 'The same of the months in search_months.';

CREATE TABLE search_months (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    month date NOT NULL CHECK (extract(day FROM month) = 1),
    summed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (domain_id, search_type, month)
);
COMMENT ON TABLE search_months IS
    'The months whose sums are those of their days. A day that is imported anew takes its month out.';
