-- All that is stored of the property, as one would store the upstream's answers: in one table, with texts.
CREATE TABLE bench_plain (
    property text NOT NULL,
    date date NOT NULL,
    query text,
    page text,
    appearance text,
    country text,
    device smallint,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL
)
