//! The workspace as its manifests declare it: crates, features and dependencies.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::Metadata;

/// The workspace's crates by name.
pub(super) struct Workspace {
    pub(super) crates: BTreeMap<String, Crate>,
}

/// One crate of the workspace.
pub(super) struct Crate {
    /// What its manifest names, optional ones included, each under its real name.
    pub(super) dependencies: Vec<Dependency>,
}

/// One line of a manifest's dependency tables.
pub(super) struct Dependency {
    pub(super) name: String,
    /// `normal`, `build` or `dev`.
    pub(super) kind: String,
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
