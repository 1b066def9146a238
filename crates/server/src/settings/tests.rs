//! The table is that of the configuration, and holds it within its bounds.

use std::collections::BTreeSet;

use figment::{
    Figment,
    providers::{Format, Serialized, Toml},
};
use serde_json::Value;

use super::*;
use crate::{config::Config, pages::pages};

fn read(toml: &str) -> anyhow::Result<Config> {
    let defaults = Figment::from(Serialized::defaults(Config::default()));
    Config::from_sources(&defaults.merge(Toml::string(toml)))
}

fn refusal(toml: &str) -> String {
    format!("{:#}", read(toml).unwrap_err())
}

#[test]
fn each_field_has_one_row_and_each_row_a_field() {
    let rows: Vec<&str> = all().map(|setting| setting.name).collect();
    let names: BTreeSet<&str> = rows.iter().copied().collect();
    assert_eq!(rows.len(), names.len(), "a setting has two rows");
    let values = serde_json::to_value(Config::default()).unwrap();
    let fields: BTreeSet<&str> = values.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, fields);
}

/// A cell that would break its table, or a default that is another on another machine.
#[test]
fn rows_are_fit_to_be_printed() {
    for setting in all() {
        assert!(
            !setting.about.is_empty() && !setting.about.contains('|'),
            "{}",
            setting.name
        );
    }
    let folder = Config::default().data_folder;
    let page = markdown::page(&Config::default()).unwrap();
    assert!(!page.contains(&format!("| `{}` |", folder.display())), "{page}");
}

#[test]
fn numbers_are_held_within_their_bounds() {
    read("").unwrap();
    let mut held = 0;
    for setting in all() {
        let Kind::Number(least, most) = setting.kind else {
            continue;
        };
        let name = setting.name;
        for within in [least, most] {
            read(&format!("{name} = {within}")).unwrap();
        }
        let beyond = [least.checked_sub(1), Some(most + 1)];
        for beyond in beyond.into_iter().flatten() {
            let refusal = refusal(&format!("{name} = {beyond}"));
            assert!(
                refusal.contains(&format!("{name} is {}, not", setting.kind.told())),
                "{refusal}"
            );
            held += 1;
        }
    }
    assert!(held > 20, "{held}");
}

#[test]
fn a_url_is_one() {
    for setting in all().filter(|setting| setting.kind == Kind::Url) {
        let name = setting.name;
        read(&format!("{name} = \"https://pharos.example/a\"")).unwrap();
        for wrong in ["pharos.example", "ftp://pharos.example", "", "https://"] {
            let refusal = refusal(&format!("{name} = {wrong:?}"));
            let is = format!("{name} is an https:// or http:// URL, not {wrong:?}");
            assert!(refusal.contains(&is), "{refusal}");
        }
    }
}

#[test]
fn tls_has_its_files_and_a_name() {
    let all = [
        "tls_listen = \"127.0.0.1:7443\"\n",
        "tls_certificate = \"/etc/pharos/tls.pem\"\n",
        "tls_key = \"/etc/pharos/tls.key\"\n",
    ];
    let url = "base_url = \"https://pharos.example\"\n";
    read(&format!("{}{url}", all.concat())).unwrap();
    for left_out in 0..all.len() {
        let mut some = all.to_vec();
        some.remove(left_out);
        let refusal = refusal(&format!("{}{url}", some.concat()));
        assert!(refusal.contains("are set together"), "{refusal}");
    }
    // Cookies go by TLS alone where base_url is https://, and links lead there.
    for url in ["", "base_url = \"http://pharos.example\"\n"] {
        let refusal = refusal(&format!("{}{url}", all.concat()));
        assert!(refusal.contains("with tls_listen goes base_url"), "{refusal}");
    }
}

#[test]
fn proxies_that_decide_what_is_traced_are_there() {
    let heeded = "traces_from_proxies = true\n";
    let refusal = refusal(heeded);
    assert!(refusal.contains("set trusted_hops"), "{refusal}");
    read(&format!("{heeded}trusted_hops = 1\n")).unwrap();
}

/// Else whoever mistypes one would read another log than they meant.
#[test]
fn the_filter_of_the_log_is_one() {
    for filter in ["", "off", "warn,pharos=debug,rmcp::service=off"] {
        read(&format!("log = {filter:?}")).unwrap();
    }
    for wrong in ["warn,pharos=loud", "pharos=info=debug", "!"] {
        let refusal = refusal(&format!("log = {wrong:?}"));
        let is = format!("log is {wrong:?}, which is no filter");
        assert!(refusal.contains(&is), "{refusal}");
    }
}

#[test]
fn settings_that_are_read_anew_say_so_and_no_others() {
    let says = |setting: &&Setting| setting.about.contains("read anew on SIGHUP");
    let names: Vec<&str> = all().filter(says).map(|setting| setting.name).collect();
    assert_eq!(names, ["tls_certificate", "tls_key", READ_ANEW]);
}

#[test]
fn settings_that_have_changed_are_named_and_no_others() {
    let before = read("log = \"warn\"\ndatabase_url = \"postgres://a/b\"\n").unwrap();
    assert!(changed(&before, &before).unwrap().is_empty());
    let now = read("log = \"info\"\ndatabase_url = \"postgres://a/c\"\nregion = \"eu\"\n").unwrap();
    let names: BTreeSet<&str> = changed(&before, &now).unwrap().into_iter().collect();
    assert_eq!(names, BTreeSet::from(["database_url", "log", "region"]));
}

/// Neither the names of Rust's types nor what a secret was given as.
#[test]
fn a_value_of_the_wrong_type_is_refused_by_its_setting() {
    for setting in all() {
        let Setting { name, kind, .. } = setting;
        for wrong in ["{ a = \"swordfish\" }", "-4.5", "[[\"swordfish\"]]", "2026-01-01"] {
            let refusal = refusal(&format!("{name} = {wrong}"));
            assert!(
                refusal.contains(&format!("{name} is {}", kind.told())),
                "{name} = {wrong}: {refusal}"
            );
            for word in [
                "usize",
                "u32",
                "u64",
                "struct",
                "enum",
                "Option",
                "IpNet",
                "swordfish",
            ] {
                assert!(!refusal.contains(word), "{name} = {wrong}: {refusal}");
            }
        }
    }
    let secret = refusal("database_url = 12345678");
    assert!(
        secret.contains("database_url is a text") && !secret.contains("12345678"),
        "{secret}"
    );
}

#[test]
fn a_setting_that_there_is_not_is_refused_with_the_nearest() {
    for (written, nearest) in [
        ("databse_url = \"x\"", "database_url"),
        ("PHAROS_REGION = \"eu\"", "region"),
        ("trusted_hop = 1", "trusted_hops"),
    ] {
        let refusal = refusal(written);
        assert!(
            refusal.contains(&format!("perhaps {nearest} is meant")),
            "{refusal}"
        );
    }
}

#[test]
fn a_variable_that_sets_nothing_is_told_with_the_nearest() {
    let told = |name: &str| unknown::variables([name.to_owned()]);
    for (written, nearest) in [
        ("PHAROS_DATABSE_URL", "PHAROS_DATABASE_URL"),
        ("pharos_listn", "PHAROS_LISTEN"),
        ("PHAROS_CONFIGS", "PHAROS_CONFIG"),
    ] {
        assert_eq!(told(written), [(written.to_owned(), nearest.to_owned())]);
    }
    for other in [
        "PHAROS_DATABASE_URL",
        "pharos_database_url",
        "PHAROS_CONFIG",
        "PHAROS_TEST_DATABASE_URL",
        "PHAROS_BENCH_DATABASE_URL",
        "PHAROS_BIN",
        "PHAROS_API_KEY",
        // Kubernetes sets these for services named pharos and pharos-api.
        "PHAROS_PORT",
        "PHAROS_SERVICE_HOST",
        "PHAROS_SERVICE_PORT_HTTP",
        "PHAROS_PORT_7070_TCP_ADDR",
        "PHAROS_API_SERVICE_HOST",
        "PHAROS_API_PORT",
        "PATH",
    ] {
        assert!(told(other).is_empty(), "{other}");
    }
}

#[test]
fn numbers_are_grouped() {
    for (number, text) in [
        (0, "0"),
        (999, "999"),
        (1_000, "1,000"),
        (36_000_000, "36,000,000"),
    ] {
        assert_eq!(grouped(number), text);
    }
}

/// The words of the table are those that the types know, and the defaults are within bounds.
#[test]
fn defaults_fit() {
    let values = serde_json::to_value(Config::default()).unwrap();
    for setting in all() {
        if let Kind::OneOf(words) = setting.kind {
            // One without a value goes by another setting.
            let value = &values[setting.name];
            let is_known = value.is_null() || value.as_str().is_some_and(|value| words.contains(&value));
            assert!(is_known, "{}", setting.name);
        }
        if let Kind::SomeOf(words) = setting.kind {
            let value: Vec<&str> = values[setting.name]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(Value::as_str)
                .collect();
            assert_eq!(value, words, "{}", setting.name);
        }
    }
    check(&Config::default()).unwrap();
}

const CONTAINERFILE: &str = include_str!("../../../../deploy/Containerfile");
const TOOLCHAIN: &str = include_str!("../../../../rust-toolchain.toml");
const NODE_UNIT: &str = include_str!("../../../../deploy/systemd/pharos.service");
const BACKUP_UNIT: &str = include_str!("../../../../deploy/systemd/pharos-backup.service");

/// The parts of the repository that operators copy from, and those that set variables for the tests' own nodes.
const COPIED: [&str; 7] = [
    "README.md",
    "docs",
    "docs/guides",
    "deploy",
    "deploy/systemd",
    ".ci",
    "tests",
];

#[test]
fn what_operators_copy_names_settings_that_there_are() {
    let (mut variables, mut files) = (0, 0);
    for (file, text) in pages(&COPIED) {
        let file = file.display();
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let named: Vec<String> = words
            .filter(|word| {
                word.strip_prefix(unknown::PREFIX)
                    .is_some_and(|name| !name.is_empty())
            })
            .map(str::to_owned)
            .collect();
        variables += named.len();
        let unknown = unknown::variables(named);
        assert!(unknown.is_empty(), "{file}: {unknown:?}");
        for (begin, end) in [("```toml\n", "```"), ("pharos.toml <<'END'\n", "END\n")] {
            for block in text.split(begin).skip(1) {
                let settings = block.split(end).next().unwrap();
                read(settings).unwrap_or_else(|error| panic!("{file}: {error:#}"));
                files += 1;
            }
        }
    }
    assert!(variables > 40 && files >= 8, "{variables} {files}");
}

/// With other settings the backup would be one of another installation, or of none.
#[test]
fn the_backups_unit_has_the_account_and_the_settings_of_the_nodes() {
    const SHARED: [&str; 5] = [
        "User=",
        "Group=",
        "Environment",
        "StateDirectory",
        "ConfigurationDirectory",
    ];
    let shared = |unit: &'static str| -> Vec<&'static str> {
        unit.lines()
            .filter(|line| SHARED.iter().any(|name| line.starts_with(name)))
            .collect()
    };
    let of_node = shared(NODE_UNIT);
    assert_eq!(of_node, shared(BACKUP_UNIT));
    let environment = of_node.iter().filter(|line| line.starts_with("Environment"));
    assert_eq!(environment.count(), 2, "{of_node:?}");
}

/// Else rustup would download another toolchain into the image, which may be built without a network.
#[test]
fn the_image_is_built_by_the_toolchain_of_the_repository() {
    let mut lines = TOOLCHAIN.lines();
    let version = lines.find_map(|line| line.strip_prefix("channel = \"")?.strip_suffix('"'));
    let version = version.unwrap();
    for line in [
        format!("ARG RUST=docker.io/library/rust:{version}-bookworm"),
        format!("ENV RUSTUP_TOOLCHAIN={version}"),
    ] {
        assert!(CONTAINERFILE.lines().any(|found| found == line), "{line}");
    }
}
