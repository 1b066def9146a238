//! `cargo xtask openapi-check`: the public document and its promises, and the pages that are printed from the code.

mod document;
mod fault;
#[cfg(test)]
mod mutation;
mod quality;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};

use self::document::Document;
use crate::{build, cargo};

const COMMITTED: &str = "docs/openapi.json";
const REFERENCE: &str = "docs/api-reference.md";
/// The settings, which the same program prints.
const SETTINGS: &str = "docs/configuration.md";
/// How many faults of a kind are worth reading at once.
const SHOWN: usize = 25;

/// Hold the public API's document to its promises.
///
/// The document is what `pharos openapi` prints; no database and no environment is needed. The check
/// fails where it, the reference table or the page of settings differs from the committed docs/openapi.json,
/// docs/api-reference.md and docs/configuration.md, and where an operation lacks what every operation has: a summary, one tag,
/// described parameters, examples that fit their schemas, its problem responses. It fails too where a sentence of a description
/// begins with What or Of.
#[derive(clap::Args)]
pub(crate) struct CheckArgs {
    /// Write docs/openapi.json, docs/api-reference.md and docs/configuration.md before the rest is checked
    #[arg(long)]
    write: bool,
    /// Check this file instead of what the registry prints, and leave the pages alone
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    document: Option<PathBuf>,
}

pub(crate) fn check(args: &CheckArgs) -> Result<()> {
    let (document, pages) = match &args.document {
        Some(path) => (read(path)?, None),
        None => {
            let program = build::pharos(&[])?;
            let document = printed(&program, &["openapi"])?;
            let reference = printed(&program, &["openapi", "--reference"])?;
            let settings = printed(&program, &["settings"])?;
            (document, Some([(REFERENCE, reference), (SETTINGS, settings)]))
        }
    };
    let current = Document::parse(&document, "the document")?;
    let mut faults = 0;
    let pages = pages.iter().flatten().map(|(name, text)| (*name, text));
    for (name, text) in std::iter::once((COMMITTED, &document)).chain(pages) {
        if args.write {
            write(name, text)?;
        }
        faults += compare_with_committed(name, text)?;
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

/// The output of `program` with these arguments.
fn printed(program: &Path, arguments: &[&str]) -> Result<String> {
    let done = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("{} can't be run", program.display()))?;
    if !done.status.success() {
        bail!("`pharos {}` failed ({})", arguments.join(" "), done.status);
    }
    String::from_utf8(done.stdout).context("pharos printed bytes that are not UTF-8")
}

/// Says where `current` differs from the committed file. The count of faults: none or one.
fn compare_with_committed(name: &str, current: &str) -> Result<usize> {
    const REMEDY: &str =
        "run `cargo xtask openapi-check --write`, read `git diff docs`, and commit what was meant";
    let path = cargo::root().join(name);
    if !path.exists() {
        println!("{name} is missing: {REMEDY}");
        return Ok(1);
    }
    let committed = read(&path)?;
    match first_difference(&committed, current) {
        None => Ok(0),
        Some(line) => {
            println!("{name} differs from the code from line {line} on: {REMEDY}");
            Ok(1)
        }
    }
}

/// The number of the first line that differs, counted from 1. Blank lines at the end don't count.
fn first_difference(committed: &str, current: &str) -> Option<usize> {
    let (committed, current) = (committed.trim_end(), current.trim_end());
    if committed == current {
        return None;
    }
    let same = committed
        .lines()
        .zip(current.lines())
        .take_while(|(one, other)| one == other);
    Some(same.count() + 1)
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

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn the_first_line_that_differs_is_named() {
        assert_eq!(first_difference("a\nb\n", "a\nb"), None);
        assert_eq!(first_difference("a\nb\nc", "a\nx\nc"), Some(2));
        assert_eq!(first_difference("a\nb", "a\nb\nc"), Some(3));
        assert_eq!(first_difference("", "a"), Some(1));
    }
}
