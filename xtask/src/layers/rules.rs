//! The rules, a function each. A fault is one line that names both ends and the reason.

use std::collections::BTreeSet;

use anyhow::Result;

use super::{
    table::{Features, Table, Unreachable},
    workspace::Workspace,
};

/// Tells which crates a crate reaches with a set of features.
pub(super) type Reached<'a> = &'a dyn Fn(&str, Features) -> Result<BTreeSet<String>>;

/// Every fault there is.
pub(super) fn all(workspace: &Workspace, table: &Table, reached: Reached<'_>) -> Result<Vec<String>> {
    let mut faults = crates_without_a_row(workspace, table);
    faults.extend(rows_without_a_crate(workspace, table));
    faults.extend(edges_outside_the_table(workspace, table));
    faults.extend(groups_that_know_each_other(workspace));
    faults.extend(parts_that_know_each_other(workspace));
    faults.extend(reserved_crates_named(workspace, table));
    faults.extend(unreachable_crates_reached(workspace, table, reached)?);
    Ok(faults)
}

fn crates_without_a_row(workspace: &Workspace, table: &Table) -> Vec<String> {
    let missing = workspace
        .crates
        .keys()
        .filter(|name| !table.crates.contains_key(*name));
    missing
        .map(|name| format!("{name} has no row in the table: say what it may depend on"))
        .collect()
}

fn rows_without_a_crate(workspace: &Workspace, table: &Table) -> Vec<String> {
    let allowed = table
        .crates
        .iter()
        .flat_map(|(row, allowed)| [row].into_iter().chain(allowed));
    let reserved = table.reserved.iter().flat_map(|rule| &rule.to);
    let unreachable = table.unreachable.iter().flat_map(|rule| &rule.from);
    let named: BTreeSet<&String> = allowed.chain(reserved).chain(unreachable).collect();
    let gone = named.into_iter().filter(|name| !workspace.has(name));
    gone.map(|name| format!("the table names {name}, which the workspace does not have: take it out"))
        .collect()
}

fn edges_outside_the_table(workspace: &Workspace, table: &Table) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, entry) in &workspace.crates {
        let Some(allowed) = table.crates.get(name) else {
            continue;
        };
        for (kind, target) in entry.edges(workspace) {
            if !workspace.is_among(target, allowed) {
                faults.push(format!(
                    "{name} -> {target} ({kind}): the table does not allow this edge"
                ));
            }
        }
    }
    faults
}

/// The table can't allow it: a group reaches no crate of another one, neither itself nor by a kit.
fn groups_that_know_each_other(workspace: &Workspace) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, entry) in &workspace.crates {
        let Some(own) = &entry.part else { continue };
        for way in ways(workspace, name) {
            let Some((target, between)) = way.split_last() else {
                continue;
            };
            let other = workspace
                .crates
                .get(*target)
                .and_then(|found| found.part.as_ref());
            if let Some(other) = other.filter(|other| other.group != own.group) {
                let how = match between {
                    [] => "depends on".to_owned(),
                    between => format!("reaches, by {},", between.join(" and ")),
                };
                faults.push(format!(
                    "{name} {how} {target}: {} and {} are groups, and groups do not know each other, whatever the table \
                     allows; what two need is in domain, in a kit, or a port that server wires",
                    own.group, other.group
                ));
            }
        }
    }
    faults
}

/// The table can't allow it either: within a group the core alone is named.
fn parts_that_know_each_other(workspace: &Workspace) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, entry) in &workspace.crates {
        let Some(own) = &entry.part else { continue };
        for (kind, target) in entry.edges(workspace) {
            let other = workspace.crates.get(target).and_then(|found| found.part.as_ref());
            if other.is_some_and(|other| other.group == own.group && other.name != "core") {
                faults.push(format!(
                    "{name} depends on {target} ({kind}): of the crates of {} the others may name its core alone, \
                     whatever the table allows",
                    own.group
                ));
            }
        }
    }
    faults
}

/// The shortest way to each workspace crate that `from` reaches: its own dependencies of whatever kind, and what those are
/// built with.
fn ways<'a>(workspace: &'a Workspace, from: &'a str) -> Vec<Vec<&'a str>> {
    let mut seen = BTreeSet::from([from]);
    let mut ways: Vec<Vec<&str>> = vec![Vec::new()];
    let mut at = 0;
    while let Some(way) = ways.get(at).cloned() {
        let last = way.last().copied();
        let entry = workspace.crates.get(last.unwrap_or(from));
        for (kind, target) in entry.into_iter().flat_map(|entry| entry.edges(workspace)) {
            if (last.is_none() || kind != "dev") && seen.insert(target) {
                ways.push(way.iter().copied().chain([target]).collect());
            }
        }
        at += 1;
    }
    ways
}

fn reserved_crates_named(workspace: &Workspace, table: &Table) -> Vec<String> {
    let mut faults = Vec::new();
    for rule in &table.reserved {
        for (name, entry) in workspace
            .crates
            .iter()
            .filter(|(name, _)| !workspace.is_among(name, &rule.to))
        {
            for dependency in &entry.dependencies {
                if rule
                    .crates
                    .iter()
                    .any(|pattern| pattern.matches(&dependency.name))
                {
                    let (target, kind) = (&dependency.name, &dependency.kind);
                    let owners = rule.to.iter().cloned().collect::<Vec<_>>().join(", ");
                    faults.push(format!(
                        "{name} names {target} ({kind}), which is reserved to {owners}: {}",
                        rule.because
                    ));
                }
            }
        }
    }
    faults
}

fn unreachable_crates_reached(
    workspace: &Workspace,
    table: &Table,
    reached: Reached<'_>,
) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for rule in &table.unreachable {
        for name in subjects(workspace, rule) {
            for target in reached(name, rule.features)? {
                if rule.crates.iter().any(|pattern| pattern.matches(&target)) {
                    let flag = rule.features.flag();
                    faults.push(format!(
                        "{name} reaches {target} with {flag}: {}; see `cargo tree -p {name} {flag} -e normal -i {target}`",
                        rule.because
                    ));
                }
            }
        }
    }
    Ok(faults)
}

/// The crates that a rule speaks of and that exist.
fn subjects<'a>(workspace: &'a Workspace, rule: &'a Unreachable) -> impl Iterator<Item = &'a String> + 'a {
    let names = workspace.crates.keys();
    names.filter(|name| workspace.is_among(name, &rule.from))
}
