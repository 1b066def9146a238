//! Building with cargo's own progress on the terminal, and learning where a program went.

use std::{
    io::BufReader,
    path::PathBuf,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};
use cargo_metadata::Message;

use crate::{cargo, host::Host};

/// Refuses to go on where nothing links: cargo would say so only after minutes.
///
/// Rust calls the C compiler to link, and a dependency (ring) compiles C.
pub(crate) fn check_linker(host: &Host) -> Result<()> {
    if ["cc", "gcc", "clang"]
        .iter()
        .any(|name| host.program(name).is_some())
    {
        return Ok(());
    }
    let become_root = if host.is_root() { "" } else { "sudo " };
    let known = [
        (
            "apt-get",
            format!("{become_root}apt-get install -y gcc libc6-dev"),
        ),
        ("dnf", format!("{become_root}dnf install -y gcc")),
        ("apk", format!("{become_root}apk add gcc musl-dev")),
        ("pacman", format!("{become_root}pacman -S --noconfirm gcc")),
        ("xcode-select", "xcode-select --install".to_owned()),
    ];
    let found = known
        .into_iter()
        .find(|(manager, _)| host.program(manager).is_some());
    let command = found.map_or_else(
        || "your system's package manager".to_owned(),
        |(_, command)| command,
    );
    bail!("a C compiler, which Rust links with, is missing: install it with `{command}` and run this again")
}

/// Builds the program `pharos` and whatever `more` asks for, and returns where the program lies. It takes the features of
/// the whole workspace, so that all tasks share one build.
pub(crate) fn pharos(more: &[&str]) -> Result<PathBuf> {
    let arguments = ["--workspace", "--all-features", "--bin", "pharos"];
    build(&[&arguments, more].concat(), "pharos")
}

/// Runs `cargo build` with these arguments and returns where the program `name` lies.
pub(crate) fn build(arguments: &[&str], name: &str) -> Result<PathBuf> {
    let mut command: Command = cargo::command();
    command
        .arg("build")
        .args(arguments)
        .arg("--message-format=json-render-diagnostics");
    let mut building = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .context("`cargo build` did not start: is cargo on the PATH?")?;
    let said = building.stdout.take().context("`cargo build` says nothing")?;
    let mut program = None;
    for message in Message::parse_stream(BufReader::new(said)) {
        if let Message::CompilerArtifact(artifact) = message.context("`cargo build` was cut off")?
            && artifact.target.name == name
            && let Some(file) = artifact.executable.filter(|_| !artifact.profile.test)
        {
            program = Some(file.into_std_path_buf());
        }
    }
    let status = building.wait().context("`cargo build` was lost")?;
    if !status.success() {
        bail!("the build failed: what cargo says above tells why");
    }
    program.with_context(|| format!("the build made no program {name}"))
}

#[cfg(test)]
mod tests {
    use super::check_linker;
    use crate::{host::Host, script::script};

    #[test]
    fn a_missing_linker_is_named_in_one_sentence_with_the_command_that_brings_it() {
        let root = tempfile::tempdir().unwrap();
        script(&root.path().join("bin/apt-get"), "exit 0");
        let host = Host::imagined(root.path(), false, false);
        let sentence = format!("{:#}", check_linker(&host).unwrap_err());
        assert!(!sentence.contains('\n'));
        assert!(
            sentence.contains("`sudo apt-get install -y gcc libc6-dev`"),
            "{sentence}"
        );
        script(&root.path().join("bin/cc"), "exit 0");
        check_linker(&host).unwrap();
    }
}
