//! The country of a visitor: by a database, else by the word of a trusted proxy, else unknown.

use std::path::Path;

use serde_json::json;
use uuid::Uuid;

use super::{CHROME, Collecting};
use crate::{
    doctor::{findings, only},
    harness::{Node, Request},
};

/// The pages that were viewed, and the countries from which they were.
const VIEWED: &str = "SELECT page.value, country.value FROM analytics_hits AS h
    JOIN analytics_values AS page ON page.id = h.page
    LEFT JOIN analytics_values AS country ON country.id = h.country
    ORDER BY page.value";

/// The addresses that one database knows, and the day on which it was made.
struct Known {
    file: &'static str,
    day: &'static str,
    countries: &'static [(&'static str, &'static str)],
}

/// The package of npm, and a file in the layout of MaxMind's GeoLite2-Country by mmdb-writer of PyPI, in which the country where
/// an address is differs from the one where its network is registered.
const DATABASES: [Known; 2] = [
    Known {
        file: "../crates/ingest/core/data/node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb",
        day: "2026-06-17",
        countries: &[
            ("8.8.8.8", "US"),
            ("133.11.0.1", "JP"),
            ("2a00:1450:4001:830::200e", "IE"),
        ],
    },
    Known {
        file: "api/collect/countries.mmdb",
        day: "2026-11-28",
        countries: &[("81.2.69.142", "GB"), ("2001:218::1", "JP")],
    },
];

/// Addresses that no database knows.
const UNKNOWN: [&str; 2] = ["192.0.2.1", "10.0.0.1"];

#[tokio::test(flavor = "multi_thread")]
async fn a_country_is_that_of_the_database_else_that_of_the_proxy_else_unknown() {
    for database in DATABASES {
        let mut collecting = Collecting::start(&[]).await;
        let app = &collecting.app;
        let config = format!("/domains/{}/analytics/config", app.world.domain);
        let enabled = json!({ "enabled": true });
        app.put(&config, &app.world.key, &enabled).send().await.ok();
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(database.file);
        assert!(
            file.exists(),
            "{} is missing; run `cargo xtask test`",
            file.display()
        );
        let environment = [
            ("PHAROS_DATABASE_URL", app.database.url()),
            ("PHAROS_COUNTRY_DATABASE", file.to_str().unwrap()),
            ("PHAROS_COUNTRY_HEADER", "CF-IPCountry"),
            ("PHAROS_TRUSTED_HOPS", "1"),
        ];
        let (is_well, said) = only(findings(&environment, "countries"));
        assert!(
            is_well && said == format!("by a database of {}", database.day),
            "{said}"
        );

        collecting.node = Node::start(&["--roles", "ingest"], &environment);
        let known = database.countries.iter();
        let views = known
            .map(|(address, country)| (*address, Some("FR"), Some(*country)))
            .chain([(UNKNOWN[0], Some("FR"), Some("FR")), (UNKNOWN[1], None, None)]);
        let mut wanted = Vec::new();
        for (number, (address, told, country)) in views.enumerate() {
            let page = format!("/{number}");
            let beacon = collecting.beacon(&json!({
                "beacon": Uuid::new_v4(),
                "events": [{"type": "pageview", "url": format!("https://shop.example{page}")}],
            }));
            let mut request = Request::new(collecting.node.address, "POST", "//collect/events")
                .header("user-agent", CHROME)
                .header("x-forwarded-for", address)
                .json(&beacon);
            if let Some(told) = told {
                request = request.header("cf-ipcountry", told);
            }
            assert_eq!(request.send_unchecked().await.status, 202, "{address}");
            wanted.push(vec![Some(page), country.map(str::to_owned)]);
        }
        assert_eq!(collecting.app.sql(VIEWED).await, wanted, "{}", database.file);
    }
}
