//! All operations, and the routing between them.

use std::collections::{BTreeMap, HashMap};

use matchit::Router;
use pharos_domain::{ports::Ports, problem::Suffix};

use crate::{
    open::OpenOperation,
    operation::{Operation, Settles},
    problem::Problem,
    spec::{BASE_PATH, Idempotency, PageBy, Paging, Verb, Window},
};

/// All operations. Nothing is served that is not in it.
#[derive(Debug)]
pub struct Registry {
    operations: Vec<Operation>,
    open: Vec<OpenOperation>,
    router: Router<Vec<Entry>>,
}

/// Where the operation of a path is.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Operation(usize),
    Open(usize),
}

/// The operation that a method and path lead to.
#[derive(Debug)]
pub enum Routed<'r> {
    /// An operation for callers with a credential.
    Operation(Matched<'r>),
    /// One for everybody.
    Open(&'r OpenOperation),
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
    /// The operation that answers.
    pub operation: &'r Operation,
    /// The path's parameters, still percent-encoded.
    pub path: Vec<(&'static str, String)>,
}

/// A request that leads to no operation.
#[derive(Debug)]
pub struct Unrouted {
    /// 404 or 405, to be answered.
    pub refusal: Problem,
    /// The path's parameters, still percent-encoded, where it is one that operations have.
    pub path: Vec<(&'static str, String)>,
}

impl Registry {
    /// Checks the operations and builds the routing table.
    ///
    /// # Errors
    /// Two operations with one id, or with one method and path; a path that can't be routed; a handler that
    /// needs a path parameter that the path lacks, whose grant does not charge as the specification asks, or that
    /// takes another window, comparison or page than is declared, or answers another envelope.
    pub fn new(operations: Vec<Operation>) -> Result<Self, RegistryError> {
        Self::with_open(operations, Vec::new())
    }

    /// The same with operations that need no credential. None of them shares a path with another operation.
    ///
    /// # Errors
    /// As of [`Registry::new`].
    pub fn with_open(operations: Vec<Operation>, open: Vec<OpenOperation>) -> Result<Self, RegistryError> {
        let mut ids = HashMap::new();
        let mut paths: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, operation) in operations.iter().enumerate() {
            let spec = operation.spec;
            if let Some(other) = ids.insert(spec.id, spec.path) {
                return Err(two_are_called(spec.id, other, spec.path));
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
            if let Err(why) = &operation.schemas {
                return Err(RegistryError(format!("the schemas of {}: {why}", spec.id)));
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
            check_paging(operation)?;
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
            let siblings = siblings.into_iter().map(Entry::Operation).collect();
            router
                .insert(format!("{BASE_PATH}{path}"), siblings)
                .map_err(|error| RegistryError(format!("{path}: {error}")))?;
        }
        for (at, OpenOperation { spec, .. }) in open.iter().enumerate() {
            if let Some(other) = ids.insert(spec.id, spec.path) {
                return Err(two_are_called(spec.id, other, spec.path));
            }
            router
                .insert(format!("{BASE_PATH}{}", spec.path), vec![Entry::Open(at)])
                .map_err(|error| RegistryError(format!("{}: {error}", spec.path)))?;
        }
        Ok(Self {
            operations,
            open,
            router,
        })
    }

    /// Holds what the handlers use against the ports that there are.
    ///
    /// # Errors
    /// A handler takes a port that nobody has added: a sentence that names both.
    pub fn check_ports(&self, ports: &Ports) -> Result<(), RegistryError> {
        let gated = self
            .operations
            .iter()
            .map(|operation| (operation.spec.id, &operation.shapes.ports));
        let open = self
            .open
            .iter()
            .map(|operation| (operation.spec.id, &operation.ports));
        for (id, checks) in gated.chain(open) {
            for check in checks {
                check(ports).map_err(|missing| RegistryError(format!("{id}: {missing}")))?;
            }
        }
        Ok(())
    }

    /// The operations, in the order that they were declared in.
    #[must_use]
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The operations that need no credential, in the order that they were declared in.
    #[must_use]
    pub fn open(&self) -> &[OpenOperation] {
        &self.open
    }

    /// The operation of a method and path.
    ///
    /// # Errors
    /// 404 where no operation has the path, 405 with `Allow` where none of the path's has the method.
    pub fn route(&self, method: &str, path: &str) -> Result<Routed<'_>, Unrouted> {
        let found = self.router.at(path).map_err(|_| Unrouted {
            refusal: no_such_path(),
            path: Vec::new(),
        })?;
        let verb = Verb::answering(method);
        let entry = found.value.iter().find(|entry| Some(self.verb(**entry)) == verb);
        let path_of = |operation: &Operation| {
            // In the order of the path, which siblings share.
            let values = found.params.iter().map(|(_, value)| value.to_owned());
            operation.spec.path_parameters().zip(values).collect()
        };
        match entry {
            Some(Entry::Operation(at)) => {
                let operation = &self.operations[*at];
                let path = path_of(operation);
                Ok(Routed::Operation(Matched { operation, path }))
            }
            Some(Entry::Open(at)) => Ok(Routed::Open(&self.open[*at])),
            None => {
                let allow = self.allowed(found.value);
                let detail = format!("This path answers {allow}.");
                let refusal = Problem {
                    allow: Some(allow),
                    ..Problem::new(Suffix::MethodNotAllowed, detail)
                };
                let path = match found.value.first() {
                    Some(Entry::Operation(sibling)) => path_of(&self.operations[*sibling]),
                    Some(Entry::Open(_)) | None => Vec::new(),
                };
                Err(Unrouted { refusal, path })
            }
        }
    }

    fn verb(&self, entry: Entry) -> Verb {
        match entry {
            Entry::Operation(at) => self.operations[at].spec.method,
            Entry::Open(at) => self.open[at].spec.method,
        }
    }

    fn allowed(&self, entries: &[Entry]) -> String {
        let mut names: Vec<&str> = entries.iter().map(|entry| self.verb(*entry).as_str()).collect();
        if names.contains(&"GET") {
            names.push("HEAD");
        }
        names.push("OPTIONS");
        names.sort_unstable();
        names.join(", ")
    }

    /// The methods of a path, as `Allow` lists them; `None` where no operation has the path.
    #[must_use]
    pub fn allow(&self, path: &str) -> Option<String> {
        let found = self.router.at(path).ok()?;
        Some(self.allowed(found.value))
    }
}

/// Whoever looks for the groups of both finds them by their paths.
fn two_are_called(id: &str, one: &str, other: &str) -> RegistryError {
    RegistryError(format!(
        "two operations are called {id}: that of {one} and that of {other}"
    ))
}

/// The page that a handler asks for, and the envelope that it answers, are those that its specification declares.
fn check_paging(operation: &Operation) -> Result<(), RegistryError> {
    let (spec, shapes) = (operation.spec, &operation.shapes);
    let told = |by: Option<PageBy>| match by {
        None => "no page",
        Some(PageBy::Cursor) => "a page by cursor",
        Some(PageBy::Offset) => "a page by offset",
    };
    let differs = |does: &str, by| {
        let (id, paging) = (spec.id, spec.paging);
        let by = told(by);
        Err(RegistryError(format!(
            "{id} declares the paging {paging}, but its handler {does} {by}"
        )))
    };
    if shapes.paged != spec.paging.asks_for() {
        return differs("asks for", shapes.paged);
    }
    let answered = shapes.envelope();
    if spec.paging != Paging::None && answered != spec.paging.answers() {
        return differs("answers", answered);
    }
    Ok(())
}

fn no_such_path() -> Problem {
    Problem::new(
        Suffix::NotFound,
        format!("No operation has this path. Every path begins with {BASE_PATH}."),
    )
}

#[cfg(test)]
mod tests;
