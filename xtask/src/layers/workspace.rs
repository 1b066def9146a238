//! The workspace as its manifests declare it: crates, features and dependencies.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{Metadata, camino::Utf8Path};

/// The workspace's crates by name.
pub(super) struct Workspace {
    pub(super) crates: BTreeMap<String, Crate>,
}

/// One crate of the workspace.
pub(super) struct Crate {
    /// The part of a group that it is, when it lies in a group's folder.
    pub(super) part: Option<Part>,
    /// The crates that its manifest names, optional ones included, each under its real name.
    pub(super) dependencies: Vec<Dependency>,
}

/// A crate below `crates/<group>/`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) group: String,
    /// `core`, `api` or `pg`.
    pub(super) name: String,
}

impl Part {
    /// The part that lies in this folder of the workspace. A folder right below `crates` is no group's.
    fn at(folder: &Utf8Path) -> Option<Self> {
        let mut steps = folder.components().map(|step| step.as_str());
        match (steps.next(), steps.next(), steps.next(), steps.next()) {
            (Some("crates"), Some(group), Some(name), None) => Some(Self {
                group: group.to_owned(),
                name: name.to_owned(),
            }),
            _ => None,
        }
    }

    /// The same part of all groups, as the table names it.
    fn of_all_groups(&self) -> String {
        format!("crates/*/{}", self.name)
    }
}

/// One line of a manifest's dependency tables.
pub(super) struct Dependency {
    pub(super) name: String,
    /// `normal`, `build` or `dev`.
    pub(super) kind: String,
}

impl Workspace {
    /// Whether one of these entries of the table means the crate: by its name, or as a part of a group.
    pub(super) fn is_among(&self, name: &str, entries: &BTreeSet<String>) -> bool {
        let part = self.crates.get(name).and_then(|entry| entry.part.as_ref());
        entries.contains(name) || part.is_some_and(|part| entries.contains(&part.of_all_groups()))
    }

    /// Whether an entry of the table means any crate.
    pub(super) fn has(&self, entry: &str) -> bool {
        let parts = self.crates.values().filter_map(|known| known.part.as_ref());
        self.crates.contains_key(entry) || parts.map(Part::of_all_groups).any(|all| all == entry)
    }
}

impl Crate {
    /// The dependencies that are themselves crates of the workspace: (kind, name).
    pub(super) fn edges<'a>(
        &'a self,
        workspace: &'a Workspace,
    ) -> impl Iterator<Item = (&'a str, &'a str)> + 'a {
        self.dependencies
            .iter()
            .filter(|dependency| workspace.crates.contains_key(&dependency.name))
            .map(|dependency| (dependency.kind.as_str(), dependency.name.as_str()))
    }
}

impl From<&Metadata> for Workspace {
    fn from(metadata: &Metadata) -> Self {
        let part = |manifest: &Utf8Path| {
            let folder = manifest.strip_prefix(&metadata.workspace_root).ok()?.parent()?;
            Part::at(folder)
        };
        let crates = metadata.workspace_packages().into_iter().map(|package| {
            let dependencies = package.dependencies.iter().map(|dependency| Dependency {
                name: dependency.name.clone(),
                kind: match dependency.kind {
                    cargo_metadata::DependencyKind::Normal => "normal".to_owned(),
                    cargo_metadata::DependencyKind::Build => "build".to_owned(),
                    _ => "dev".to_owned(),
                },
            });
            let entry = Crate {
                part: part(&package.manifest_path),
                dependencies: dependencies.collect(),
            };
            (package.name.to_string(), entry)
        });
        Self {
            crates: crates.collect(),
        }
    }
}

/// The crates in what `cargo tree --prefix none --format {p}` prints: `name v1.2.3 (notes)` a line.
pub(super) fn names_in_tree(tree: &str) -> BTreeSet<String> {
    tree.lines()
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}
