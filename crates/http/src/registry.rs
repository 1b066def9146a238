//! All operations, and the routing between them.

use std::collections::{BTreeMap, HashSet};

use matchit::Router;
use pharos_domain::problem::Suffix;

use crate::{
    operation::{Operation, Settles},
    problem::Problem,
    spec::{BASE_PATH, Idempotency, Verb, Window},
};

/// All operations. Nothing is served that is not in it.
#[derive(Debug)]
pub struct Registry {
    operations: Vec<Operation>,
    router: Router<Vec<usize>>,
}

/// Why a list of operations is no registry. Each is a mistake of the program, found at its start and in the tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryError(pub String);

impl std::fmt::Display for RegistryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RegistryError {}

/// A match of method and path.
#[derive(Debug)]
pub struct Matched<'r> {
    /// The operation.
    pub operation: &'r Operation,
    /// The path's parameters, still percent-encoded.
    pub path: Vec<(&'static str, String)>,
}

impl Registry {
    /// Checks the operations and builds the routing table.
    ///
    /// # Errors
    /// Two operations with one id, or with one method and path; a path that can't be routed; a handler that
    /// needs a path parameter that the path lacks, whose grant does not charge as the specification asks, or that
    /// takes another window or comparison than is declared.
    pub fn new(operations: Vec<Operation>) -> Result<Self, RegistryError> {
        let mut ids = HashSet::new();
        let mut paths: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, operation) in operations.iter().enumerate() {
            let spec = operation.spec;
            if !ids.insert(spec.id) {
                return Err(RegistryError(format!("two operations are called {}", spec.id)));
            }
            let siblings = paths.entry(spec.path).or_default();
            if siblings
                .iter()
                .any(|other| operations[*other].spec.method == spec.method)
            {
                return Err(RegistryError(format!(
                    "two operations are {} {}",
                    spec.method.as_str(),
                    spec.path
                )));
            }
            siblings.push(at);
            let settles = if spec.idempotency == Idempotency::Required {
                Settles::WithEffectAndKey
            } else if spec.changes_something() {
                Settles::WithEffect
            } else {
                Settles::AfterHandler
            };
            if operation.settles != settles {
                return Err(RegistryError(format!(
                    "{} settles {:?}, but its specification asks for {settles:?}",
                    spec.id, operation.settles
                )));
            }
            let shapes = &operation.shapes;
            // A fixed window takes no parameters, so a handler may know it without an argument.
            let is_fixed = spec.window == Window::Fixed && shapes.window == Window::None;
            if (spec.window != shapes.window && !is_fixed) || spec.compare != shapes.compare {
                return Err(RegistryError(format!(
                    "{} declares window {:?} and comparison {:?}, but its handler takes {:?} and {:?}",
                    spec.id, spec.window, spec.compare, shapes.window, shapes.compare
                )));
            }
            if let Some(needed) = operation.needs
                && !spec.path_parameters().any(|name| name == needed)
            {
                return Err(RegistryError(format!(
                    "{} needs {{{needed}}} in its path",
                    spec.id
                )));
            }
        }
        let mut router = Router::new();
        for (path, siblings) in paths {
            router
                .insert(format!("{BASE_PATH}{path}"), siblings)
                .map_err(|error| RegistryError(format!("{path}: {error}")))?;
        }
        Ok(Self { operations, router })
    }

    /// The operations, in the order that they were declared in.
    #[must_use]
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The operation of a method and path.
    ///
    /// # Errors
    /// 404 where no operation has the path, 405 with `Allow` where none of the path's has the method.
    pub fn route(&self, method: &str, path: &str) -> Result<Matched<'_>, Problem> {
        let found = self.router.at(path).map_err(|_| no_such_path())?;
        let verb = Verb::answering(method);
        let siblings = found.value.iter().map(|at| &self.operations[*at]);
        let Some(operation) = siblings
            .clone()
            .find(|operation| Some(operation.spec.method) == verb)
        else {
            let allow = allow(siblings.map(|operation| operation.spec.method));
            let detail = format!("This path answers {allow}.");
            return Err(Problem {
                allow: Some(allow),
                ..Problem::new(Suffix::MethodNotAllowed, detail)
            });
        };
        // In the order of the path, which siblings share.
        let values = found.params.iter().map(|(_, value)| value.to_owned());
        let path = operation.spec.path_parameters().zip(values).collect();
        Ok(Matched { operation, path })
    }

    /// The methods of a path, as `Allow` lists them; `None` where no operation has the path.
    #[must_use]
    pub fn allow(&self, path: &str) -> Option<String> {
        let found = self.router.at(path).ok()?;
        Some(allow(
            found.value.iter().map(|at| self.operations[*at].spec.method),
        ))
    }
}

fn no_such_path() -> Problem {
    Problem::new(
        Suffix::NotFound,
        format!("No operation has this path. Every path begins with {BASE_PATH}."),
    )
}

fn allow(verbs: impl Iterator<Item = Verb>) -> String {
    let mut names: Vec<&str> = verbs.map(Verb::as_str).collect();
    if names.contains(&"GET") {
        names.push("HEAD");
    }
    names.push("OPTIONS");
    names.sort_unstable();
    names.join(", ")
}
