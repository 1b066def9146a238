//! `cargo xtask openapi-check` and `openapi-release`: the public document and its promises.

mod breaking;
mod difference;
mod document;
mod fault;
#[cfg(test)]
mod mutation;
mod quality;
mod view;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use self::document::Document;
use crate::cargo;

const COMMITTED: &str = "docs/openapi.json";
const REFERENCE: &str = "docs/api-reference.md";
const RELEASED: &str = "docs/openapi-released.json";
/// How many faults of a kind are worth reading at once.
const SHOWN: usize = 25;

/// Hold the public API's document to its promises.
///
/// The document is what `pharos openapi` prints; no database and no environment is needed. The check
/// fails where it or the reference table differs from the committed docs/openapi.json, docs/api-reference.md, where it breaks a caller of
/// docs/openapi-released.json, and where an operation lacks what every operation has: a summary, one
/// tag, described parameters, examples that fit their schemas, its problem responses.
#[derive(clap::Args)]
pub(crate) struct CheckArgs {
    /// Write docs/openapi.json and docs/api-reference.md from the registry before the rest is checked
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    source: Source,
}

/// Make the current document the released one.
///
/// Writes docs/openapi-released.json, which `cargo xtask openapi-check` holds every later document to.
/// Refuses a document that is not committed, that fails a rule of quality, or that breaks a caller of the
/// document released before. A break that is meant belongs under a new version's base path; before anybody
/// calls the API, delete docs/openapi-released.json and release again, in a commit that says why.
#[derive(clap::Args)]
pub(crate) struct ReleaseArgs {
    #[command(flatten)]
    source: Source,
}

#[derive(clap::Args)]
struct Source {
    /// Take the current document from this file instead of `pharos openapi`
    #[arg(long, value_name = "FILE")]
    document: Option<PathBuf>,
}

impl Source {
    /// The current document's text.
    fn read(&self) -> Result<String> {
        match &self.document {
            Some(path) => read(path),
            None => printed(&["openapi"]),
        }
    }
}

/// What `pharos` prints.
fn printed(arguments: &[&str]) -> Result<String> {
    let run = ["run", "-q", "-p", "pharos-server", "--bin", "pharos", "--"];
    cargo::output(&[&run, arguments].concat())
}

/// Holds the committed reference table against the registry's, or writes it. The count of faults: none or one.
fn check_reference(args: &CheckArgs) -> Result<usize> {
    if args.source.document.is_some() {
        return Ok(0);
    }
    let current = printed(&["openapi", "--reference"])?;
    if args.write {
        write(REFERENCE, &current)?;
    }
    let committed = fs::read_to_string(cargo::root().join(REFERENCE)).unwrap_or_default();
    if committed.trim_end() == current.trim_end() {
        return Ok(0);
    }
    println!("{REFERENCE} differs from the registry: run `cargo xtask openapi-check --write` and commit it");
    Ok(1)
}

pub(crate) fn check(args: &CheckArgs) -> Result<()> {
    let text = args.source.read()?;
    let current = Document::parse(&text, "what `pharos openapi` prints")?;
    if args.write {
        write(COMMITTED, &text)?;
    }
    let mut faults = differences_from_committed(&current, &text)? + check_reference(args)?;
    let released = cargo::root().join(RELEASED);
    if released.exists() {
        let released = Document::parse(&read(&released)?, RELEASED)?;
        faults += report(
            "break(s) of a released promise",
            &breaking::between(&released, &current),
        );
    } else {
        println!("{RELEASED} is missing: run `cargo xtask openapi-release` and commit it");
        faults += 1;
    }
    faults += report("shortcoming(s) of an operation", &quality::of(&current)?);
    if faults > 0 {
        bail!("the document fails the check: {faults} fault(s), listed above");
    }
    println!(
        "openapi-check: {} operations keep their promises",
        current.operations().len()
    );
    Ok(())
}

pub(crate) fn release(args: &ReleaseArgs) -> Result<()> {
    let text = args.source.read()?;
    let current = Document::parse(&text, "what `pharos openapi` prints")?;
    if differences_from_committed(&current, &text)? + report("shortcoming(s)", &quality::of(&current)?) > 0 {
        bail!("nothing was released: mend what is listed above first");
    }
    let path = cargo::root().join(RELEASED);
    if path.exists() {
        let released = Document::parse(&read(&path)?, RELEASED)?;
        if report(
            "break(s) of a released promise",
            &breaking::between(&released, &current),
        ) > 0
        {
            bail!("nothing was released: a caller of the released document would break (see --help)");
        }
        let changes = difference::between(&released.root, &current.root);
        list(
            &format!("change(s) since the last release, as {RELEASED} has them:"),
            &changes,
        );
    } else {
        println!("the first release: {} operations", current.operations().len());
    }
    write(RELEASED, &text)
}

/// Says where the current document differs from the committed one. The count of faults: none or one.
fn differences_from_committed(current: &Document, text: &str) -> Result<usize> {
    const REMEDY: &str = "run `cargo xtask openapi-check --write` and commit it";
    let path = cargo::root().join(COMMITTED);
    if !path.exists() {
        println!("{COMMITTED} is missing: {REMEDY}");
        return Ok(1);
    }
    let committed = read(&path)?;
    let changes = Document::parse(&committed, COMMITTED)?;
    let changes = difference::between(&changes.root, &current.root);
    if changes.is_empty() && committed.trim_end() == text.trim_end() {
        return Ok(0);
    }
    if changes.is_empty() {
        println!("{COMMITTED} says the same in another order or layout: {REMEDY}");
    } else {
        list(&format!("difference(s) from {COMMITTED}, {REMEDY}:"), &changes);
    }
    Ok(1)
}

/// Lists faults under a title that counts them; nothing where there are none. Returns their number.
fn report(title: &str, faults: &[impl std::fmt::Display]) -> usize {
    if !faults.is_empty() {
        list(&format!("{title}:"), faults);
    }
    faults.len()
}

fn list(title: &str, lines: &[impl std::fmt::Display]) {
    println!("{} {title}", lines.len());
    for line in lines.iter().take(SHOWN) {
        println!("  {line}");
    }
    if lines.len() > SHOWN {
        println!("  … and {} more", lines.len() - SHOWN);
    }
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{} can't be read", path.display()))
}

fn write(name: &str, text: &str) -> Result<()> {
    let path = cargo::root().join(name);
    fs::write(&path, text).with_context(|| format!("{name} can't be written"))?;
    println!("wrote {name}");
    Ok(())
}
