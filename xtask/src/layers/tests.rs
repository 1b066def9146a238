//! Each rule fires on a fixture that breaks it, and on nothing else.

use std::collections::BTreeSet;

use anyhow::Result;
use cargo_metadata::Metadata;
use serde_json::{Value, json};

use super::{
    rules,
    table::{Features, Table},
    workspace::{Workspace, names_in_tree},
};

const METADATA: &str = include_str!("../../fixtures/layers/metadata.json");
const TABLE: &str = include_str!("../../fixtures/layers/table.toml");

/// The crates that the fixture's crates reach, as `cargo tree` prints it.
fn tree(package: &str, features: Features) -> &'static str {
    match (package, features) {
        ("fix-domain", Features::All) => "fix-domain v0.1.0 (/fixture/crates/domain)\nserde v1.0.229",
        ("fix-group", Features::None) => "fix-group v0.1.0 (/fixture/crates/group)\nserde v1.0.229 (*)",
        other => panic!("no rule of the fixture asks for {other:?}"),
    }
}

fn workspace(change: impl FnOnce(&mut Value)) -> Workspace {
    let mut metadata: Value = serde_json::from_str(METADATA).unwrap();
    change(&mut metadata);
    Workspace::from(&serde_json::from_value::<Metadata>(metadata).unwrap())
}

fn package<'a>(metadata: &'a mut Value, name: &str) -> &'a mut Value {
    let packages = metadata["packages"].as_array_mut().unwrap();
    packages
        .iter_mut()
        .find(|package| package["name"] == name)
        .unwrap()
}

/// Moves a crate to a folder of the workspace.
fn place(metadata: &mut Value, name: &str, folder: &str) {
    package(metadata, name)["manifest_path"] = json!(format!("/fixture/{folder}/Cargo.toml"));
}

/// Makes `from` depend on `to`, in the manner of `kind`.
fn depend(metadata: &mut Value, from: &str, to: &str, kind: &Value) {
    let dependency = json!({
        "name": to, "source": null, "req": "*", "kind": kind, "rename": null, "optional": true,
        "uses_default_features": true, "features": [], "target": null, "registry": null,
    });
    package(metadata, from)["dependencies"]
        .as_array_mut()
        .unwrap()
        .push(dependency);
}

fn table(change: impl FnOnce(&mut Table)) -> Table {
    let mut table = toml::from_str(TABLE).unwrap();
    change(&mut table);
    table
}

fn faults(workspace: &Workspace, table: &Table) -> Vec<String> {
    rules::all(workspace, table, &|name, features| {
        Ok(names_in_tree(tree(name, features)))
    })
    .unwrap()
}

/// Asserts that there is one fault and that it says all of `words`.
#[track_caller]
fn assert_one(faults: &[String], words: &[&str]) {
    let [fault] = faults else {
        panic!("expected one fault, found {faults:#?}")
    };
    for word in words {
        assert!(fault.contains(word), "{fault:?} does not say {word:?}");
    }
}

#[test]
fn the_unchanged_fixture_has_no_fault() {
    assert_eq!(faults(&workspace(|_| {}), &table(|_| {})), Vec::<String>::new());
}

#[test]
fn a_crate_without_a_row_is_a_fault() {
    let table = table(|table| {
        table.crates.remove("fix-server");
    });
    assert_one(&faults(&workspace(|_| {}), &table), &["fix-server", "no row"]);
}

#[test]
fn a_row_without_a_crate_is_a_fault() {
    let table = table(|table| {
        table.crates.insert("fix-gone".to_owned(), BTreeSet::new());
    });
    assert_one(&faults(&workspace(|_| {}), &table), &["fix-gone", "take it out"]);
}

#[test]
fn a_rule_that_names_a_crate_that_is_gone_is_a_fault() {
    let table = table(|table| {
        table.reserved[0].to.insert("fix-gone".to_owned());
    });
    assert_one(&faults(&workspace(|_| {}), &table), &["fix-gone", "take it out"]);
}

#[test]
fn an_edge_outside_the_table_is_a_fault_of_whatever_kind() {
    for (kind, shown) in [
        (json!(null), "(normal)"),
        (json!("build"), "(build)"),
        (json!("dev"), "(dev)"),
    ] {
        let workspace = workspace(|metadata| depend(metadata, "fix-http", "fix-group", &kind));
        assert_one(
            &faults(&workspace, &table(|_| {})),
            &["fix-http -> fix-group", shown],
        );
    }
}

#[test]
fn a_group_that_depends_on_another_is_a_fault_though_its_row_allows_it() {
    for part in ["core", "api", "pg"] {
        let workspace = workspace(|metadata| {
            place(metadata, "fix-group", &format!("crates/shop/{part}"));
            place(metadata, "fix-persistence", "crates/till/pg");
        });
        assert_one(
            &faults(&workspace, &table(|_| {})),
            &[
                "fix-persistence depends on fix-group",
                "till and shop are groups",
                "whatever the table allows",
            ],
        );
    }
}

#[test]
fn a_group_that_depends_on_another_for_its_tests_is_a_fault() {
    let workspace = workspace(|metadata| {
        place(metadata, "fix-group", "crates/shop/core");
        place(metadata, "fix-http", "crates/till/api");
        package(metadata, "fix-group")["dependencies"] = json!([]);
        depend(metadata, "fix-http", "fix-group", &json!("dev"));
    });
    let wide = table(|table| {
        table.crates.insert(
            "fix-http".to_owned(),
            ["fix-domain", "fix-group"].map(str::to_owned).into(),
        );
    });
    assert_one(&faults(&workspace, &wide), &["fix-http depends on fix-group"]);
}

#[test]
fn a_group_that_reaches_another_by_a_kit_is_a_fault() {
    let workspace = workspace(|metadata| {
        place(metadata, "fix-domain", "crates/shop/core");
        place(metadata, "fix-server", "crates/till/core");
        package(metadata, "fix-server")["dependencies"] = json!([]);
        depend(metadata, "fix-server", "fix-http", &json!(null));
    });
    assert_one(
        &faults(&workspace, &table(|_| {})),
        &[
            "fix-server reaches, by fix-http, fix-domain",
            "till and shop are groups",
        ],
    );
}

#[test]
fn the_api_and_the_pg_of_a_group_name_its_core_alone_though_their_rows_allow_more() {
    for (from, to) in [("api", "pg"), ("pg", "api"), ("core", "api"), ("core", "pg")] {
        let placed = |from: &str, to: &str| {
            workspace(|metadata| {
                place(metadata, "fix-persistence", &format!("crates/shop/{from}"));
                place(metadata, "fix-group", &format!("crates/shop/{to}"));
            })
        };
        assert_one(
            &faults(&placed(from, to), &table(|_| {})),
            &[
                "fix-persistence depends on fix-group (normal)",
                "of shop",
                "its core alone",
            ],
        );
        assert_eq!(
            faults(&placed(from, "core"), &table(|_| {})),
            Vec::<String>::new()
        );
    }
}

#[test]
fn the_server_may_depend_on_groups() {
    let workspace = workspace(|metadata| {
        place(metadata, "fix-group", "crates/shop/core");
        place(metadata, "fix-http", "crates/http");
        place(metadata, "fix-persistence", "tests/shop/api");
    });
    assert_eq!(faults(&workspace, &table(|_| {})), Vec::<String>::new());
}

#[test]
fn a_row_may_allow_a_part_of_all_groups() {
    let shop = |part: &str| {
        workspace(|metadata| {
            place(metadata, "fix-group", &format!("crates/shop/{part}"));
            place(metadata, "fix-http", "crates/http");
            place(metadata, "fix-persistence", "crates/till/core");
            package(metadata, "fix-persistence")["dependencies"] = json!([]);
        })
    };
    let cores = table(|table| {
        let allowed = ["fix-domain", "fix-http", "crates/*/core"].map(str::to_owned);
        table.crates.insert("fix-server".to_owned(), allowed.into());
    });
    assert_eq!(faults(&shop("core"), &cores), Vec::<String>::new());
    assert_one(&faults(&shop("api"), &cores), &["fix-server -> fix-group"]);
}

#[test]
fn a_part_of_a_group_falls_under_the_rules_for_that_part() {
    let mut parts = table(|_| {});
    parts.reserved[0].to = ["crates/*/pg".to_owned()].into();
    parts.unreachable[1].from = ["crates/*/core".to_owned()].into();
    let at = |folder: &'static str| {
        workspace(move |metadata| {
            place(metadata, "fix-persistence", folder);
            place(metadata, "fix-http", "crates/shop/core");
            place(metadata, "fix-server", "crates/till/pg");
        })
    };
    let reached = |_: &str, _: Features| Ok(BTreeSet::from(["actix-web".to_owned()]));
    parts.unreachable.remove(0);
    let told = rules::all(&at("crates/sql"), &parts, &reached).unwrap();
    assert!(
        told.iter()
            .any(|fault| fault.starts_with("fix-persistence names diesel (normal)")),
        "{told:#?}"
    );
    assert!(
        told.iter()
            .any(|fault| fault.starts_with("fix-http reaches actix-web")),
        "{told:#?}"
    );
    assert!(
        !told.iter().any(|fault| fault.starts_with("fix-domain")),
        "{told:#?}"
    );
    let told = rules::all(&at("crates/rows/pg"), &parts, &reached).unwrap();
    assert!(
        !told.iter().any(|fault| fault.contains("names diesel")),
        "{told:#?}"
    );
}

#[test]
fn a_rule_for_a_part_that_no_group_has_is_a_fault() {
    let table = table(|table| {
        table.reserved[0].to.insert("crates/*/sql".to_owned());
    });
    assert_one(
        &faults(&workspace(|_| {}), &table),
        &["crates/*/sql", "take it out"],
    );
}

#[test]
fn a_reserved_crate_named_elsewhere_is_a_fault() {
    let workspace = workspace(|metadata| depend(metadata, "fix-server", "diesel-async", &json!("dev")));
    let faults = faults(&workspace, &table(|_| {}));
    assert_one(
        &faults,
        &[
            "fix-server names diesel-async (dev)",
            "fix-persistence",
            "SQL lives in persistence",
        ],
    );
}

#[test]
fn a_reserved_crate_is_known_under_another_name() {
    let mut moved = table(|_| {});
    moved.reserved[0].to = ["fix-group".to_owned()].into();
    assert_one(
        &faults(&workspace(|_| {}), &moved),
        &["fix-persistence names diesel (normal)"],
    );
}

#[test]
fn an_unreachable_crate_reached_with_all_features_is_a_fault() {
    for name in ["tokio", "redis", "actix-http", "diesel", "diesel-async"] {
        let reached = |package: &str, features| -> Result<BTreeSet<String>> {
            let mut names = names_in_tree(tree(package, features));
            if package == "fix-domain" && features == Features::All {
                names.insert(name.to_owned());
            }
            Ok(names)
        };
        let faults = rules::all(&workspace(|_| {}), &table(|_| {}), &reached).unwrap();
        assert_one(
            &faults,
            &[
                &format!("fix-domain reaches {name} with --all-features"),
                "no I/O",
                "-i",
            ],
        );
    }
}

#[test]
fn a_group_that_reaches_actix_without_its_http_feature_is_a_fault() {
    let reached = |package: &str, features| -> Result<BTreeSet<String>> {
        let mut names = names_in_tree(tree(package, features));
        if package == "fix-group" && features == Features::None {
            names.insert("actix-web".to_owned());
        }
        Ok(names)
    };
    let faults = rules::all(&workspace(|_| {}), &table(|_| {}), &reached).unwrap();
    assert_one(
        &faults,
        &[
            "fix-group reaches actix-web with --no-default-features",
            "without HTTP",
        ],
    );
}

#[test]
fn a_crate_whose_name_only_starts_alike_is_no_fault() {
    let reached = |package: &str, features| -> Result<BTreeSet<String>> {
        let mut names = names_in_tree(tree(package, features));
        names.insert("tokio-like".to_owned());
        Ok(names)
    };
    assert!(
        rules::all(&workspace(|_| {}), &table(|_| {}), &reached)
            .unwrap()
            .is_empty()
    );
}

#[test]
fn an_unknown_key_in_the_table_is_refused() {
    assert!(toml::from_str::<Table>("[crates]\n[[reserve]]\ncrates = []").is_err());
}
