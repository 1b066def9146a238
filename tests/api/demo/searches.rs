//! The searches and inspections of the demo, which it plays itself.

use std::{fs, process::Command};

use serde_json::{Value, json};

use super::Demo;
use crate::{admin::done, harness::binary, processes::loads};

/// The figures come in as those of Google do; whoever starts the demo is told that they are played, and the account says so.
pub(super) async fn say_who_played_them(demo: &Demo) {
    let Demo { node, key, data, .. } = demo;
    let told = "Its searches and field data are, too: this process plays Search Console";
    assert!(
        node.lines.iter().any(|line| line.contains(told)),
        "{:?}",
        node.lines
    );

    let property = loads(node, key, &demo.at("gsc/property"), |property| {
        property["data_through"].is_string()
    })
    .await;
    assert_eq!(
        (&property["site_label"], &property["status"]),
        (&json!("demo.localhost"), &json!("connected"))
    );
    let overview = demo.ask("gsc/overview?period_days=7").await;
    for figure in ["clicks", "impressions", "queries_count", "pages_count"] {
        assert!(
            overview[figure].as_u64().is_some_and(|count| count > 0),
            "{figure}: {overview}"
        );
    }
    for (list, value) in [("queries", "query"), ("pages", "page")] {
        let found = demo.ask(&format!("gsc/{list}")).await;
        let first = &found["items"][0];
        assert!(
            first[value].is_string() && first["impressions"].as_u64().is_some_and(|count| count > 0),
            "{list}: {found}"
        );
    }

    let inspected = demo.ask("indexing/overview").await;
    for figure in ["urls_monitored", "urls_inspected", "indexed", "not_indexed"] {
        assert!(
            inspected[figure].as_u64().is_some_and(|count| count > 0),
            "{figure}: {inspected}"
        );
    }
    assert!(inspected["by_reason"][0]["urls"].is_u64(), "{inspected}");

    let notes: Value = serde_json::from_slice(&fs::read(data.join("demo.json")).unwrap()).unwrap();
    let output = Command::new(binary())
        .args(["admin", "--json", "search", "accounts"])
        .arg(notes["workspace"].as_str().unwrap())
        .arg("--data-folder")
        .arg(data)
        .output()
        .unwrap();
    let accounts = done(&output);
    assert_eq!(accounts[0]["label"], "Played by --demo: no account at Google");
    assert_eq!(accounts.as_array().map(Vec::len), Some(1));
}
