-- The visits of a site, with texts; the tables of Pharos and of the bases are filled from it.
CREATE TABLE bench_visits (
    domain_id uuid NOT NULL,
    id bigint NOT NULL,
    visitor_id bigint NOT NULL,
    started_at timestamptz NOT NULL,
    gap interval NOT NULL,
    views integer NOT NULL,
    -- As analytics_hits has it: what is done after the last view. Null: nothing.
    action smallint,
    page integer NOT NULL,
    channel smallint NOT NULL,
    source text NOT NULL,
    medium text,
    campaign text,
    referrer text,
    country text NOT NULL,
    device smallint NOT NULL,
    browser text NOT NULL,
    os text NOT NULL
);

-- One wide row an event, as Umami and its like have it.
CREATE TABLE bench_events (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    id bigint NOT NULL,
    session_id bigint NOT NULL,
    visitor_id bigint NOT NULL,
    kind smallint NOT NULL,
    page text NOT NULL,
    event text,
    link text,
    term text,
    channel smallint NOT NULL,
    source text NOT NULL,
    medium text,
    campaign text,
    referrer text,
    country text NOT NULL,
    device smallint NOT NULL,
    browser text NOT NULL,
    os text NOT NULL
);

-- The better base: sessions with what they come to, and narrow hits.
CREATE TABLE bench_sessions (
    domain_id uuid NOT NULL,
    started_at timestamptz NOT NULL,
    id bigint NOT NULL,
    visitor_id bigint NOT NULL,
    ended_at timestamptz NOT NULL,
    pageviews integer NOT NULL,
    events integer NOT NULL,
    clicks integer NOT NULL,
    channel smallint NOT NULL,
    source text NOT NULL,
    medium text,
    campaign text,
    referrer text,
    country text NOT NULL,
    device smallint NOT NULL,
    browser text NOT NULL,
    os text NOT NULL
);
CREATE TABLE bench_hits (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    session_id bigint NOT NULL,
    visitor_id bigint NOT NULL,
    kind smallint NOT NULL,
    page text NOT NULL,
    event text
)
