//! The table of settings. A setting is a field of [`Config`](crate::config::Config) and a row here; a test holds the two together.

use super::{
    Kind::{Address, File, Folder, Networks, Number, OneOf, Secret, SomeOf, Switch, Text, Url},
    Section, Setting,
};

/// The most connections of one pool.
const CONNECTIONS: u64 = 1_000;
/// A limit an hour; 0: none.
const AN_HOUR: super::Kind = Number(0, u32::MAX as u64);

/// All settings.
pub const SECTIONS: &[Section] = &[
    Section {
        title: "Addresses",
        settings: &[
            Setting::new("listen", Address, "the address to listen on, without TLS"),
            Setting::new(
                "tls_listen",
                Address,
                "the address to listen on by [TLS](guides/install.md#tls-by-pharos-itself) besides; set together with the two below \
                 and `base_url`",
            )
            .without("none; TLS is a proxy's"),
            Setting::new(
                "tls_certificate",
                File,
                "a PEM file with the certificate, and those between it and a root; read anew on SIGHUP",
            ),
            Setting::new(
                "tls_key",
                File,
                "a PEM file with the key of that certificate; read anew on SIGHUP",
            ),
            Setting::new(
                "admin_address",
                Address,
                "the address that [metrics](operations.md#metrics) are served on, without a credential, to whoever reaches it; \
                 another than `listen`",
            )
            .without("none; no metrics are recorded"),
            Setting::new(
                "base_url",
                Url,
                "the address that callers know; links, `type` URIs and hints begin with it, and it is the issuer of tokens",
            )
            .without("`http://` and `listen`"),
            Setting::new("docs_url", Url, "the address that the `type` of problems begins with")
                .without("`base_url` and `/docs`"),
            Setting::new(
                "api_resource",
                Url,
                "the resource that access tokens of the API name (RFC 8707)",
            )
            .without("`base_url`"),
            Setting::new(
                "mcp_resource",
                Url,
                "the resource that access tokens of the MCP server name; its path is where that is served, so it has one",
            )
            .without("`base_url` and `/mcp`"),
            Setting::new(
                "mcp_secret",
                Secret,
                "by which a [`pharos-mcp` elsewhere](guides/connect-an-mcp-client.md#a-server-of-its-own) tells the API of its \
                 callers' addresses: 32 characters or more, the same on both",
            )
            .without("one that nodes share by the database"),
            Setting::new(
                "trusted_hops",
                Number(0, 16),
                "how many [proxies](operations.md#configuration) of your own stand in front and append to `X-Forwarded-For`",
            ),
            Setting::new(
                "workers",
                Number(1, 1_024),
                "threads that answer requests",
            )
            .without("one a core"),
        ],
    },
    Section {
        title: "The node",
        settings: &[
            Setting::new(
                "environment",
                OneOf(&["production", "development"]),
                "`production` makes and accepts `svc_live_` keys, `development` `svc_dev_`",
            ),
            Setting::new(
                "roles",
                SomeOf(&["api", "ingest", "scheduler", "worker", "lab", "mcp"]),
                "the parts of Pharos that this node runs, one at least; `lab` does nothing where Chromium or Node.js is missing",
            ),
            Setting::new(
                "region",
                Text,
                "the region that this node's checks run from: 1 to 40 of `a-z`, `0-9` and hyphens",
            ),
            Setting::new(
                "region_name",
                Text,
                "what `GET …/uptime/regions` calls that region",
            ),
            Setting::new("region_continent", Text, "the continent that it is on"),
            Setting::new(
                "region_country",
                Text,
                "the country that it is in: two capital letters (ISO 3166-1)",
            ),
            Setting::new(
                "check_concurrency",
                Number(1, 100_000),
                "[checks](operations.md#schedulers) at once",
            ),
            Setting::new(
                "job_concurrency",
                Number(1, 10_000),
                "[jobs](operations.md#jobs) at once",
            ),
        ],
    },
    Section {
        title: "Database and Redis",
        settings: &[
            Setting::new(
                "database_url",
                Secret,
                "PostgreSQL 15 or newer, as `postgres://…`; `sslmode` is honoured",
            )
            .without("a PostgreSQL of its own in `data_folder`"),
            Setting::new(
                "database_connections",
                Number(2, CONNECTIONS),
                "connections for requests, long reads aside",
            ),
            Setting::new(
                "long_read_connections",
                Number(12, CONNECTIONS),
                "connections for reads of much history; a workspace has 10 such reads under way at most",
            ),
            Setting::new(
                "background_connections",
                Number(2, CONNECTIONS),
                "connections for the work of schedules, jobs and upkeep",
            ),
            Setting::new(
                "claim_connections",
                Number(2, CONNECTIONS),
                "connections by which checks, schedules and jobs are claimed, and what came of them is stored: no work holds them",
            ),
            Setting::new(
                "collect_connections",
                Number(2, CONNECTIONS),
                "connections that beacons are stored by",
            ),
            Setting::new(
                "redis_url",
                Secret,
                "[Redis](operations.md#redis), as `redis://…`, `rediss://…` or `unix://…`; needed as soon as more than one \
                 process serves the API",
            )
            .without("none; this node limits and caches alone"),
            Setting::new(
                "response_cache_mib",
                Number(0, 1_048_576),
                "memory for cached answers in MiB, without Redis",
            ),
        ],
    },
    Section {
        title: "Files",
        settings: &[
            Setting::new(
                "data_folder",
                Folder,
                "where Pharos keeps its own PostgreSQL, its keys, and the demo's",
            )
            .without("`~/.local/share/pharos`; for root `/var/lib/pharos`"),
            Setting::new(
                "artefacts_folder",
                Folder,
                "the folder of screenshots and reports; nodes that work and nodes that answer share it",
            )
            .without("`artefacts` below `data_folder`"),
            Setting::new(
                "artefacts_bucket",
                Text,
                "the bucket of an S3-compatible store that screenshots and reports lie in instead: see \
                 [the guide](guides/install.md#artefacts-in-a-bucket)",
            )
            .without("none; they lie in the folder"),
            Setting::new("artefacts_endpoint", Url, "where that store is").without("Amazon S3 in that region"),
            Setting::new(
                "artefacts_roots",
                File,
                "a PEM file with authorities that that store is trusted by besides the web's",
            ),
            Setting::new(
                "artefacts_region",
                Text,
                "the region that requests to that store are signed for",
            ),
            Setting::new(
                "artefacts_access_key_id",
                Text,
                "the id of the key by which that store is reached",
            )
            .without("none; the role that Amazon gives the machine counts"),
            Setting::new(
                "artefacts_secret_access_key",
                Secret,
                "that key; the two are set together",
            ),
            Setting::new(
                "secret_key",
                Secret,
                "the key that passwords and cookies of tested pages, and secrets of second factors, are encrypted by: 32 bytes in base64, \
                 the same on all nodes",
            )
            .without("a key in `data_folder`"),
            Setting::new("postgres_bin", Folder, "where `postgres` and `initdb` are")
                .without("where systems install them"),
            Setting::new(
                "chromium",
                File,
                "Chromium, which prints reports as PDF and runs [lab tests](guides/lab.md)",
            )
            .without(
                "the first of `chromium`, `chromium-browser`, `google-chrome`, `google-chrome-stable`, `chrome` on the `PATH`; \
                 reports are printed by the headless shell where there is one",
            ),
        ],
    },
    Section {
        title: "Going out to sites",
        settings: &[
            Setting::new(
                "probe_networks",
                Networks,
                "private networks that checks and webhooks may reach; `pharos doctor` complains of one that is wide open",
            ),
            Setting::new(
                "probe_roots",
                File,
                "a PEM file with authorities that checks and webhooks trust besides the web's",
            ),
            Setting::new(
                "rdap_bootstrap_url",
                Url,
                "the list of the registries' RDAP services (RFC 9224); if it is on https, so must they be",
            ),
            Setting::new(
                "lab_folder",
                Folder,
                "the folder in whose `node_modules` Lighthouse lies ([lab tests](guides/lab.md))",
            )
            .without("none; this node has no browser for lab tests"),
            Setting::new(
                "lab_sandbox",
                Switch,
                "whether Chromium keeps its own sandbox; only where the whole node is in one it may go without",
            ),
        ],
    },
    Section {
        title: "Google",
        settings: &[
            Setting::new(
                "crux_api_key",
                Secret,
                "a key of the [Chrome UX Report API](guides/field-data.md)",
            )
            .without("none; no field data is collected"),
            Setting::new("crux_url", Url, "where that API is"),
            Setting::new(
                "pagespeed_api_key",
                Secret,
                "a key of [PageSpeed Insights](guides/lab.md#without-a-browser), by which a node without a browser runs lab tests",
            )
            .without("none; without a browser this node runs no lab tests"),
            Setting::new("pagespeed_url", Url, "where that API is"),
            Setting::new(
                "google_client_id",
                Text,
                "an [OAuth client](guides/search-console.md#the-oauth-client) at Google, by which people link their Search \
                 Console in the console; service accounts need none",
            ),
            Setting::new(
                "google_client_secret",
                Secret,
                "the secret of that client; the two are set together",
            ),
            Setting::new(
                "google_search_url",
                Url,
                "where the API of Search Console is",
            ),
            Setting::new(
                "google_token_url",
                Url,
                "where Google gives out access tokens",
            ),
            Setting::new(
                "google_consent_url",
                Url,
                "where Google asks people for their consent; their browsers go there",
            ),
        ],
    },
    Section {
        title: "Mail",
        settings: &[
            Setting::new(
                "smtp_url",
                Secret,
                "the mail server that mails of channels and reports, and links for passwords, are sent by, such as \
                 `smtps://user:password@mail.example`; set with `mail_from`",
            )
            .without("none; no mail is sent"),
            Setting::new(
                "mail_from",
                Text,
                "the sender of those mails, such as `Pharos <pharos@mail.example>`",
            ),
            Setting::new(
                "smtp_roots",
                File,
                "a PEM file with authorities that the mail server is trusted by besides the web's",
            ),
        ],
    },
    Section {
        title: "Limits of apps and sign-in",
        settings: &[
            Setting::new(
                "oauth_registrations_per_hour",
                AN_HOUR,
                "apps that one address may register; 0, here and below: none",
            ),
            Setting::new(
                "oauth_authorizations_per_hour",
                AN_HOUR,
                "authorization requests of one address",
            ),
            Setting::new(
                "oauth_consents_per_hour",
                AN_HOUR,
                "consent screens and decisions of one address; a completed consent takes two",
            ),
            Setting::new(
                "oauth_tokens_per_hour",
                AN_HOUR,
                "exchanges and refreshes of one address",
            ),
            Setting::new(
                "oauth_revocations_per_hour",
                AN_HOUR,
                "revocations of one address",
            ),
            Setting::new(
                "sign_ins_per_hour",
                AN_HOUR,
                "attempts of one address to sign in, whatever the account",
            ),
            Setting::new(
                "sign_ins_of_account_per_hour",
                AN_HOUR,
                "attempts on one account, from wherever",
            ),
            Setting::new(
                "forgotten_passwords_per_hour",
                AN_HOUR,
                "forgotten passwords that one address may report, whatever the account",
            ),
            Setting::new(
                "links_of_account_per_hour",
                AN_HOUR,
                "links to set a password, for one account, whoever requests or makes them at the console",
            ),
            Setting::new(
                "links_of_maker_per_hour",
                AN_HOUR,
                "those links that one user makes for others at the console",
            ),
        ],
    },
    Section {
        title: "Collection",
        settings: &[
            Setting::new(
                "collect_rows_per_hour",
                AN_HOUR,
                "[rows](guides/collect.md#limits) that the beacons of one address have; each beacon counts for 10 at least",
            ),
            Setting::new(
                "collect_rows_of_site_per_hour",
                AN_HOUR,
                "the same of one site, of what is stored, and of one server with a secret",
            ),
            Setting::new(
                "country_database",
                File,
                "a file in MaxMind's format (`.mmdb`) by which visitors get their [country](operations.md#countries)",
            ),
            Setting::new(
                "country_header",
                Text,
                "the header in which your own proxies name the country of a request, such as `CF-IPCountry`; set with \
                 `trusted_hops`",
            ),
        ],
    },
    Section {
        title: "Log",
        settings: &[
            Setting::new(
                "log",
                Text,
                "which events are [logged](operations.md#watching-pharos-itself), as a filter of tracing; read anew on SIGHUP",
            ),
            Setting::new(
                "log_format",
                OneOf(&["text", "json"]),
                "for people, or one JSON object a line",
            )
            .without("`json` where `environment` is `production`, else `text`"),
        ],
    },
    Section {
        title: "Traces",
        settings: &[
            Setting::new(
                "traces_url",
                Url,
                "where spans are sent to by OTLP, as protobuf over HTTP: the [collector's](guides/monitoring.md#traces) address with \
                 its path, such as `http://127.0.0.1:4318/v1/traces`",
            )
            .without("none; nothing is traced"),
            Setting::new(
                "traces_header",
                Secret,
                "a header that goes with them, such as `Authorization: Bearer …`",
            ),
            Setting::new(
                "traces_roots",
                File,
                "a PEM file with certificate authorities that the collector is trusted by, besides the web's",
            ),
            Setting::new(
                "traces_per_mille",
                Number(0, 1_000),
                "how many of a thousand requests and jobs are traced, drawn by chance",
            ),
            Setting::new(
                "traces_from_proxies",
                Switch,
                "whether your own proxies write `traceparent` and never pass on that of a caller: then it decides which requests are \
                 traced; set with `trusted_hops`",
            ),
        ],
    },
];
