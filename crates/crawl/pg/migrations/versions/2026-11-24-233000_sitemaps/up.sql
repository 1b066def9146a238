-- The sitemaps of sites: who is checked when, files, their pages, checks, changes, findings, what each check came to, and the pages that
-- robots.txt blocks.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on domains for a moment.

CREATE TABLE sitemap_sites (
    domain_id uuid PRIMARY KEY REFERENCES domains (id),
    workspace_id uuid NOT NULL,
    next_check_at timestamptz NOT NULL,
    leased_until timestamptz,
    last_checked_at timestamptz,
    last_changed_at timestamptz,
    robots_declared boolean NOT NULL DEFAULT false,
    figures jsonb,
    figures_at timestamptz,
    conflicts jsonb,
    CHECK ((figures IS NULL) = (figures_at IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX sitemap_sites_due_idx ON sitemap_sites (next_check_at);
CREATE INDEX sitemap_sites_leased_idx ON sitemap_sites (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX sitemap_sites_turns_idx ON sitemap_sites (workspace_id, next_check_at);
COMMENT ON TABLE sitemap_sites IS 'The sums of the sitemaps of a site, and when they are checked next.';
COMMENT ON COLUMN sitemap_sites.workspace_id IS
    'The domain''s, which never changes. Claims share what is due among workspaces.';
COMMENT ON COLUMN sitemap_sites.leased_until IS
    'Until then one node alone has the check; a node that dies loses it then. Null: nobody has.';
COMMENT ON COLUMN sitemap_sites.last_changed_at IS 'When a check last found other pages, or another file; null: none has.';
COMMENT ON COLUMN sitemap_sites.robots_declared IS 'Whether the robots.txt in force names a sitemap.';
COMMENT ON COLUMN sitemap_sites.figures IS 'Totals over all files, as of the last check that changed them; null: no check has ended.';
COMMENT ON COLUMN sitemap_sites.conflicts IS
    'When pages were last held against robots.txt, against which version, and how many of them each crawler may not fetch.';

CREATE TABLE sitemap_files (
    id uuid PRIMARY KEY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    url text NOT NULL,
    url_key uuid NOT NULL,
    parent_id uuid REFERENCES sitemap_files (id),
    parent_missed_at timestamptz,
    in_robots boolean NOT NULL DEFAULT false,
    robots_missed_at timestamptz,
    is_manual boolean NOT NULL DEFAULT false,
    is_default boolean NOT NULL DEFAULT false,
    depth integer NOT NULL CHECK (depth >= 1),
    found_at timestamptz NOT NULL,
    kind text NOT NULL DEFAULT 'unknown' CHECK (kind IN ('urlset', 'sitemap_index', 'rss', 'atom', 'text', 'unknown')),
    status text NOT NULL DEFAULT 'pending' CHECK (
        status IN ('ok', 'error', 'unreachable', 'not_modified', 'invalid', 'gone', 'pending')
    ),
    status_code integer,
    entries bigint CHECK (entries >= 0),
    size_bytes bigint CHECK (size_bytes >= 0),
    uncompressed_bytes bigint CHECK (uncompressed_bytes >= 0),
    is_gzip boolean,
    index_lastmod timestamptz,
    newest_lastmod timestamptz,
    fetched_at timestamptz,
    changed_at timestamptz,
    good_at timestamptz,
    response_ms double precision,
    failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
    over_limits boolean NOT NULL DEFAULT false,
    validators jsonb,
    sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    stopped_at timestamptz,
    is_forgotten boolean NOT NULL DEFAULT false,
    removed_at timestamptz,
    UNIQUE (domain_id, url_key),
    CHECK (stopped_at IS NULL OR removed_at IS NOT NULL),
    CHECK (NOT is_forgotten OR removed_at IS NOT NULL)
) WITH (fillfactor = 70);
CREATE INDEX sitemap_files_parent_id_idx ON sitemap_files (parent_id);
COMMENT ON TABLE sitemap_files IS 'The sitemap files of a site: named by robots.txt, by an index, by people, or found at the usual path.';
COMMENT ON COLUMN sitemap_files.url_key IS 'The first 128 bits of the SHA-256 of the URL: by this it is known, since indexes take no long texts.';
COMMENT ON COLUMN sitemap_files.parent_id IS 'The index that names it; null: none does.';
COMMENT ON COLUMN sitemap_files.parent_missed_at IS
    'When the index did not name it any more; once that is so twice in a row, it is gone. Null: the index names it.';
COMMENT ON COLUMN sitemap_files.robots_missed_at IS 'The same of robots.txt.';
COMMENT ON COLUMN sitemap_files.depth IS '1 for a file that no index names, 2 for one of an index, 3 for one of an index in an index.';
COMMENT ON COLUMN sitemap_files.entries IS 'How many entries it has, those beyond 50,000 included; null: it was never read.';
COMMENT ON COLUMN sitemap_files.good_at IS 'When it was last read whole, or was found to be what it was; null: never.';
COMMENT ON COLUMN sitemap_files.failures IS 'How many fetches in a row failed.';
COMMENT ON COLUMN sitemap_files.validators IS 'The URL and the headers of the last good fetch, by which the next one is conditional.';
COMMENT ON COLUMN sitemap_files.sha256 IS 'The digest of the bytes of the last good fetch, as they were sent.';
COMMENT ON COLUMN sitemap_files.stopped_at IS 'When people asked to watch it no longer; nothing finds it anew. Null: they did not.';
COMMENT ON COLUMN sitemap_files.is_forgotten IS
    'Whether it went because people stopped it, or the index that names it: its pages are forgotten then, and have not left the site.';
COMMENT ON COLUMN sitemap_files.removed_at IS 'Since when nothing names it; null: it is watched.';

CREATE TABLE sitemap_urls (
    file_id uuid NOT NULL REFERENCES sitemap_files (id),
    url_key uuid NOT NULL,
    domain_id uuid NOT NULL,
    url text NOT NULL,
    lastmod timestamptz,
    change_frequency text CHECK (
        change_frequency IN ('always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never')
    ),
    priority double precision CHECK (priority BETWEEN 0 AND 1),
    images integer NOT NULL CHECK (images >= 0),
    videos integer NOT NULL CHECK (videos >= 0),
    is_news boolean NOT NULL,
    alternates jsonb,
    first_seen_at timestamptz NOT NULL,
    listed_at timestamptz NOT NULL,
    missing_since timestamptz,
    last_seen_at timestamptz,
    removed_at timestamptz,
    PRIMARY KEY (file_id, url_key),
    CHECK (removed_at IS NULL OR missing_since IS NOT NULL)
);
CREATE INDEX sitemap_urls_domain_id_idx ON sitemap_urls (domain_id, url_key, file_id);
CREATE INDEX sitemap_urls_seen_idx ON sitemap_urls (domain_id, first_seen_at, url_key);
CREATE INDEX sitemap_urls_file_idx ON sitemap_urls (file_id, first_seen_at, url_key);
CREATE INDEX sitemap_urls_missing_idx ON sitemap_urls (file_id) WHERE missing_since IS NOT NULL AND removed_at IS NULL;
CREATE INDEX sitemap_urls_removed_idx ON sitemap_urls (removed_at) WHERE removed_at IS NOT NULL;
CREATE INDEX sitemap_urls_gone_idx ON sitemap_urls (domain_id, first_seen_at, url_key) WHERE removed_at IS NOT NULL;
CREATE INDEX sitemap_urls_alternates_idx ON sitemap_urls (domain_id) WHERE alternates IS NOT NULL;
COMMENT ON TABLE sitemap_urls IS
    'The pages of sitemap files, one row a file and page. A file that says what it said is not written to: a page that is
there was last seen when its file was last good.';
COMMENT ON COLUMN sitemap_urls.url_key IS 'The first 128 bits of the SHA-256 of the URL.';
COMMENT ON COLUMN sitemap_urls.domain_id IS 'The file''s.';
COMMENT ON COLUMN sitemap_urls.alternates IS 'The page in other languages; null: none is named.';
COMMENT ON COLUMN sitemap_urls.first_seen_at IS 'When a file of the domain first named the page.';
COMMENT ON COLUMN sitemap_urls.listed_at IS 'Since when this file names it.';
COMMENT ON COLUMN sitemap_urls.missing_since IS 'The good fetch that did not find it any more; null: it is there.';
COMMENT ON COLUMN sitemap_urls.last_seen_at IS 'The last good fetch before that one.';
COMMENT ON COLUMN sitemap_urls.removed_at IS 'The second good fetch in a row that did not find it; null: it is there, or missed once.';

-- In monthly partitions, so that retention drops whole months.
CREATE TABLE sitemap_checks (
    id uuid NOT NULL,
    domain_id uuid NOT NULL REFERENCES domains (id),
    file_id uuid NOT NULL,
    checked_at timestamptz NOT NULL,
    run_id uuid,
    status_code integer,
    entries bigint CHECK (entries >= 0),
    urls_added bigint CHECK (urls_added >= 0),
    urls_removed bigint CHECK (urls_removed >= 0),
    response_ms double precision,
    error_class text,
    PRIMARY KEY (file_id, checked_at, id)
) PARTITION BY RANGE (checked_at);
CREATE INDEX sitemap_checks_domain_id_idx ON sitemap_checks (domain_id, checked_at);
CREATE INDEX sitemap_checks_run_id_idx ON sitemap_checks (run_id) WHERE run_id IS NOT NULL;
COMMENT ON TABLE sitemap_checks IS 'Every fetch of a sitemap file. The primary key, read backwards, serves lists that begin with the newest.';
COMMENT ON COLUMN sitemap_checks.run_id IS 'The run that asked for it; null: the schedule.';
COMMENT ON COLUMN sitemap_checks.error_class IS
    'Why there was no answer, from a closed list that grows with the fetch; so no CHECK. Null: there was one.';

CREATE TABLE sitemap_checks_default PARTITION OF sitemap_checks DEFAULT;
COMMENT ON TABLE sitemap_checks_default IS 'Checks of months that have no partition: a safety net, normally empty.';

CREATE TABLE sitemap_changes (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    changed_at timestamptz NOT NULL,
    change text NOT NULL CHECK (change IN ('added', 'removed', 'lastmod_changed', 'moved_file')),
    url text NOT NULL,
    file_id uuid NOT NULL,
    before text,
    after text,
    PRIMARY KEY (domain_id, changed_at, id)
) PARTITION BY RANGE (changed_at);
CREATE INDEX sitemap_changes_change_idx ON sitemap_changes (domain_id, change, changed_at, id);
CREATE INDEX sitemap_changes_file_idx ON sitemap_changes (file_id, changed_at, id);
COMMENT ON TABLE sitemap_changes IS 'Pages that came, went, moved to another file, or have another date.';
COMMENT ON COLUMN sitemap_changes.before IS 'The date, or the id of the file, before; null: there was none, or it is of no such kind.';
COMMENT ON COLUMN sitemap_changes.after IS 'The same after.';

CREATE TABLE sitemap_changes_default PARTITION OF sitemap_changes DEFAULT;
COMMENT ON TABLE sitemap_changes_default IS 'Changes of months that have no partition: a safety net, normally empty.';

CREATE TABLE sitemap_issues (
    file_id uuid NOT NULL REFERENCES sitemap_files (id),
    code text NOT NULL,
    domain_id uuid NOT NULL REFERENCES domains (id),
    count bigint NOT NULL CHECK (count > 0),
    examples jsonb NOT NULL,
    first_seen_at timestamptz NOT NULL,
    PRIMARY KEY (file_id, code)
);
CREATE INDEX sitemap_issues_domain_id_idx ON sitemap_issues (domain_id);
COMMENT ON TABLE sitemap_issues IS 'The findings about sitemap files, a row a file and kind.';
COMMENT ON COLUMN sitemap_issues.code IS 'From a closed list that grows with the rules; so no CHECK.';
COMMENT ON COLUMN sitemap_issues.examples IS 'The first ten places.';

-- In monthly partitions, so that retention drops whole months.
CREATE TABLE sitemap_rounds (
    id uuid NOT NULL,
    domain_id uuid NOT NULL REFERENCES domains (id),
    ended_at timestamptz NOT NULL,
    urls_total bigint NOT NULL CHECK (urls_total >= 0),
    files bigint NOT NULL CHECK (files >= 0),
    files_failed bigint NOT NULL CHECK (files_failed >= 0),
    added bigint NOT NULL CHECK (added >= 0),
    removed bigint NOT NULL CHECK (removed >= 0),
    moved bigint NOT NULL CHECK (moved >= 0),
    lastmod_changed bigint NOT NULL CHECK (lastmod_changed >= 0),
    errors integer NOT NULL CHECK (errors >= 0),
    warnings integer NOT NULL CHECK (warnings >= 0),
    blocked bigint CHECK (blocked >= 0),
    PRIMARY KEY (domain_id, ended_at, id)
) PARTITION BY RANGE (ended_at);
COMMENT ON TABLE sitemap_rounds IS 'The outcome of each check of all sitemaps of a site.';
COMMENT ON COLUMN sitemap_rounds.urls_total IS 'The entries of all files.';
COMMENT ON COLUMN sitemap_rounds.errors IS 'Findings that are errors.';
COMMENT ON COLUMN sitemap_rounds.warnings IS 'Findings that are warnings.';
COMMENT ON COLUMN sitemap_rounds.blocked IS 'Pages that robots.txt keeps Googlebot from; null: that was not worked out.';

CREATE TABLE sitemap_rounds_default PARTITION OF sitemap_rounds DEFAULT;
COMMENT ON TABLE sitemap_rounds_default IS 'Rounds of months that have no partition: a safety net, normally empty.';

CREATE TABLE sitemap_conflicts (
    domain_id uuid NOT NULL REFERENCES domains (id),
    crawler text NOT NULL,
    url_key uuid NOT NULL,
    url text NOT NULL,
    file_id uuid NOT NULL REFERENCES sitemap_files (id),
    line integer NOT NULL CHECK (line >= 1),
    kind text NOT NULL CHECK (kind IN ('allow', 'disallow')),
    path text NOT NULL,
    first_seen_at timestamptz NOT NULL,
    computed_at timestamptz NOT NULL,
    PRIMARY KEY (domain_id, crawler, url_key)
);
CREATE INDEX sitemap_conflicts_seen_idx ON sitemap_conflicts (domain_id, crawler, first_seen_at, url_key);
CREATE INDEX sitemap_conflicts_file_id_idx ON sitemap_conflicts (file_id);
COMMENT ON TABLE sitemap_conflicts IS
    'Pages of sitemaps that robots.txt keeps a crawler from, the first 10,000 of a crawler.';
COMMENT ON COLUMN sitemap_conflicts.crawler IS
    'The name by which a group speaks to the crawler, in small letters; * for those that no group names. Crawlers that obey the
same groups have the rows of the first of them.';
COMMENT ON COLUMN sitemap_conflicts.computed_at IS 'When it was last found so.';
