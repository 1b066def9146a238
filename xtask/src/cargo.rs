//! Asking cargo: a command to build on, and what the workspace is.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, MetadataCommand};

/// The repository's root, known when this program is compiled, so that a task runs from any folder in it.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// A cargo command in the repository's root.
///
/// `cargo run` sets variables that describe xtask itself. Handed on to a nested cargo, they would make
/// build scripts that watch them (ring's does) run again on every other call, so they are taken out.
pub(crate) fn command() -> Command {
    let mut command = Command::new(program());
    command.current_dir(root());
    for (name, _) in env::vars_os() {
        let described = name.to_str().is_some_and(|name| {
            name.starts_with("CARGO_PKG_")
                || name.starts_with("CARGO_MANIFEST_")
                || matches!(
                    name,
                    "CARGO_BIN_NAME" | "CARGO_CRATE_NAME" | "CARGO_PRIMARY_PACKAGE"
                )
        });
        if described {
            command.env_remove(name);
        }
    }
    command
}

/// The output of a cargo command; what it says on stderr goes straight to the terminal.
pub(crate) fn output(arguments: &[&str]) -> Result<String> {
    let shown = format!("cargo {}", arguments.join(" "));
    let done = command()
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("`{shown}` did not start: is cargo on the PATH?"))?;
    if !done.status.success() {
        bail!("`{shown}` failed ({}): what it says above tells why", done.status);
    }
    String::from_utf8(done.stdout).with_context(|| format!("`{shown}` printed bytes that are not UTF-8"))
}

/// The workspace's own packages, without resolving their dependencies.
pub(crate) fn workspace() -> Result<Metadata> {
    MetadataCommand::new()
        .cargo_path(program())
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .context("`cargo metadata` failed: a Cargo.toml of the workspace is not valid")
}

fn program() -> PathBuf {
    env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}
