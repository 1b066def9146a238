//! `cargo xtask layers`: holds the workspace's edges to the table in `xtask/layers.toml`.

mod rules;
mod table;
#[cfg(test)]
mod tests;
mod workspace;

use std::{collections::BTreeSet, fs};

use anyhow::{Context, Result, bail};

use self::{
    table::{Features, Table},
    workspace::Workspace,
};
use crate::cargo;

/// Hold the crates' dependencies to xtask/layers.toml.
///
/// Fails on an edge between workspace crates that the table does not allow, on an external crate named
/// by a crate that it is not reserved to, on one reached where it must not be, and where table and
/// workspace no longer name the same crates. Reads cargo's metadata; builds nothing.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print every edge that there is, and what the table allows besides
    #[arg(long)]
    print: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let path = cargo::root().join("xtask/layers.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("{} can't be read", path.display()))?;
    let table: Table =
        toml::from_str(&text).with_context(|| format!("{} is not a table of layers", path.display()))?;
    let workspace = Workspace::from(&cargo::workspace()?);
    if args.print {
        print(&workspace, &table);
    }
    let faults = rules::all(&workspace, &table, &reached)?;
    if faults.is_empty() {
        println!(
            "layers: {} crates keep to xtask/layers.toml",
            workspace.crates.len()
        );
        return Ok(());
    }
    for fault in &faults {
        println!("{fault}");
    }
    bail!(
        "{} fault(s) in the layers: take the dependency out, or change xtask/layers.toml in a commit that says why",
        faults.len()
    )
}

/// The external and workspace crates that `package` reaches through normal dependencies.
///
/// `cargo tree` is asked rather than `cargo metadata`: metadata unifies the features of the whole
/// workspace, so a group would seem to reach actix without its `http` feature.
fn reached(package: &str, features: Features) -> Result<BTreeSet<String>> {
    let tree = cargo::output(&[
        "tree",
        "--package",
        package,
        features.flag(),
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ])?;
    Ok(workspace::names_in_tree(&tree))
}

fn print(workspace: &Workspace, table: &Table) {
    for (name, entry) in &workspace.crates {
        println!("{name}");
        let mut used = BTreeSet::new();
        for (kind, target) in entry.edges(workspace) {
            println!("  -> {target} ({kind})");
            used.insert(target);
        }
        for target in table.crates.get(name).into_iter().flatten() {
            let alone = BTreeSet::from([target.clone()]);
            if !used.iter().any(|used| workspace.is_among(used, &alone)) {
                println!("     {target} (allowed, not used)");
            }
        }
    }
}
