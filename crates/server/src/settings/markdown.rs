//! `docs/configuration.md`, printed by `pharos settings`.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;

use super::{
    Kind, SECTIONS, Setting,
    flags::{Flag, flags},
    grouped,
};

const INTRODUCTION: &str = "\
# Configuration

This page is printed by `pharos settings`, from the code: `cargo xtask openapi-check --write` writes it anew.

Defaults come first, then a TOML file (`--config FILE` or `PHAROS_CONFIG`), then variables, then flags; what comes later counts. A
setting's variable is `PHAROS_` and its name in capital letters: `base_url` is `PHAROS_BASE_URL`. In variables lists are written
`PHAROS_ROLES='[api, worker]'`, and a text that looks like a number in quotation marks: `PHAROS_REGION_NAME='\"7\"'`.

```toml
listen = \"10.1.0.5:7070\"
base_url = \"https://pharos.example.org\"
environment = \"production\"
database_url = \"postgres://pharos:secret@db.example.org/pharos\"
redis_url = \"redis://cache.example.org\"
trusted_hops = 1
```

A setting that there is not, in the file or as a variable, is refused with the nearest name, and so is a value out of its bounds or
of the wrong type: Pharos does not start with half of what was meant. Variables that Kubernetes sets for a service named `pharos`
are left alone; so are those of `pharos-mcp` and of this repository's tests. `pharos --help` and `pharos doctor` print what is in force and
where each value came from; secrets they only call set. Settings are read when a node starts; on SIGHUP `log` is read anew, and the files of
`tls_certificate` and `tls_key`.
";

/// The page, with these defaults.
///
/// # Errors
/// The defaults can't be shown.
pub fn page(defaults: &impl Serialize) -> anyhow::Result<String> {
    let defaults = serde_json::to_value(defaults)?;
    let mut page = INTRODUCTION.to_owned();
    for section in SECTIONS {
        write!(page, "\n## {}\n\n", section.title)?;
        page.push_str("| setting | value | default | |\n| --- | --- | --- | --- |\n");
        for setting in section.settings {
            let Setting {
                name, kind, about, ..
            } = setting;
            let default = default(setting, &defaults[*name]);
            writeln!(page, "| `{name}` | {} | {default} | {about} |", values(*kind))?;
        }
    }
    page.push_str("\n## Flags\n\nA flag counts more than the variable of the same name.\n\n");
    page.push_str("| flag | of | |\n| --- | --- | --- |\n");
    for Flag {
        written,
        about,
        is_global,
    } in flags()
    {
        let of = if is_global { "every command" } else { "`serve`" };
        writeln!(page, "| `{written}` | {of} | {about} |")?;
    }
    Ok(page)
}

/// Which values a setting takes, in a cell.
fn values(kind: Kind) -> String {
    let words = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        words.join(", ")
    };
    match kind {
        Kind::Address => "address:port".to_owned(),
        Kind::Url => "URL".to_owned(),
        Kind::File => "file".to_owned(),
        Kind::Folder => "folder".to_owned(),
        Kind::Text => "text".to_owned(),
        Kind::Secret => "text, secret".to_owned(),
        Kind::Switch => "`true` or `false`".to_owned(),
        Kind::Number(least, most) => format!("{} to {}", grouped(least), grouped(most)),
        Kind::OneOf(known) => format!("one of {}", words(known)),
        Kind::SomeOf(known) => format!("list of {}", words(known)),
        Kind::Networks => "list of networks".to_owned(),
    }
}

/// The default of a setting, as a cell.
fn default(setting: &Setting, value: &Value) -> String {
    if let Some(without) = setting.without {
        return without.to_owned();
    }
    match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => format!("`{text}`"),
        Value::Number(number) => number.as_u64().map_or_else(|| number.to_string(), grouped),
        other => format!("`{other}`"),
    }
}
