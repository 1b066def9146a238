//! The command lines that guides and units show are ones that this program takes.

use std::mem;

use clap::{Parser, error::ErrorKind};

use super::Cli;
use crate::pages::pages;

/// Stands for an id that a guide writes in capital letters or as a variable.
const ID: &str = "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11";
/// The parts of the repository that show command lines.
const SHOWN: [&str; 5] = ["README.md", "docs", "docs/guides", "docs/adr", "deploy/systemd"];

/// A command line, as it is shown.
struct Shown {
    words: Vec<String>,
    /// In a sentence a command may be named without its arguments; a line to be copied is whole.
    is_named: bool,
}

/// The commands of a line of a shell, each as its words.
fn commands(line: &str) -> Vec<Vec<String>> {
    let (mut commands, mut words) = (Vec::new(), Vec::new());
    let (mut word, mut quote) = (None::<String>, None);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
            (Some(_), _) => word.get_or_insert_default().push(letter),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, '|' | ';' | '&' | '<' | '>') => {
                words.extend(word.take());
                commands.push(mem::take(&mut words));
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    commands.push(words);
    commands
}

/// The words after the name of the program, where a command runs it: with a subcommand or a long flag. An account, a unit and an
/// image have its name too.
fn of_program(words: &[String]) -> Option<Vec<String>> {
    let at = words.windows(2).position(|pair| {
        let is_program = pair[0] == "pharos" || pair[0].ends_with("/pharos");
        let begins =
            pair[1].starts_with("--") || pair[1].starts_with(|letter: char| letter.is_ascii_lowercase());
        is_program && begins && pair[1] != "pharos"
    })?;
    Some(words[at + 1..].to_vec())
}

/// The runs of the program in a line. A text in quotes may be a script of its own, as after `sh -c`.
fn runs(line: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for words in commands(line) {
        match of_program(&words) {
            Some(run) => found.push(run),
            None => found.extend(
                words
                    .iter()
                    .filter(|word| *word != line)
                    .flat_map(|word| runs(word)),
            ),
        }
    }
    found
}

/// The command lines in a page: in its blocks, and between backticks in its sentences.
fn shown(page: &str, is_markdown: bool) -> Vec<Shown> {
    let page = page.replace("\\\n", " ");
    let (mut shown, mut sentences) = (Vec::new(), String::new());
    let mut is_block = !is_markdown;
    for line in page.lines() {
        if is_markdown && line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            shown.extend(runs(line).into_iter().map(|words| Shown {
                words,
                is_named: false,
            }));
        } else {
            sentences.push_str(line);
            sentences.push('\n');
        }
    }
    for paragraph in sentences.split("\n\n") {
        let spans = paragraph.split('`').skip(1).step_by(2);
        let named = spans.filter_map(|span| {
            let words = commands(span.strip_prefix("pharos ")?).swap_remove(0);
            Some(Shown {
                words,
                is_named: true,
            })
        });
        shown.extend(named);
    }
    shown
}

/// Why the program does not take a command line; `None` where it does.
fn fault(shown: &Shown) -> Option<String> {
    let is_placeholder = |word: &str| {
        let name = word.strip_prefix('$').unwrap_or(word);
        name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    };
    let words = shown.words.iter().map(String::as_str).filter(|word| *word != "…");
    let words = words.map(|word| if is_placeholder(word) { ID } else { word });
    let error = Cli::try_parse_from(["pharos"].into_iter().chain(words)).err()?;
    let is_taken = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => true,
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        | ErrorKind::MissingRequiredArgument
        | ErrorKind::MissingSubcommand => shown.is_named,
        _ => false,
    };
    (!is_taken).then(|| error.to_string())
}

#[test]
fn every_command_line_that_operators_are_shown_is_one() {
    let (mut copied, mut named) = (0, 0);
    for (file, page) in pages(&SHOWN) {
        let is_markdown = file.extension().is_some_and(|ending| ending == "md");
        for line in shown(&page, is_markdown) {
            let fault = fault(&line);
            assert_eq!(fault, None, "{}: pharos {:?}", file.display(), line.words);
            if line.is_named {
                named += 1;
            } else {
                copied += 1;
            }
        }
    }
    assert!(copied > 25 && named > 40, "{copied} {named}");
}

#[test]
fn a_command_line_that_the_program_does_not_take_is_found() {
    let faults = |page: &str| -> usize { shown(page, true).iter().filter_map(fault).count() };
    for good in [
        "```sh\nsudo -u pharos pharos doctor --json | less\n```",
        "```sh\nset -a; pharos backup \"/backups/$(date +%F)\" && find /var/pharos -name x\n```",
        "```sh\npharos admin domain add WORKSPACE_ID \\\n  shop.example   # prints 'it'\n```",
        "```text\nExecStart=/bin/sh -c 'exec /usr/bin/pharos backup \"a\"'\n```",
        "`pharos admin plan put` and `pharos admin …` and `pharos --help`, `pharos restore FILE`",
    ] {
        assert!(!shown(good, true).is_empty(), "{good}");
        assert_eq!(faults(good), 0, "{good}");
    }
    for bad in [
        "```sh\nsudo -u pharos pharos doctr\n```",
        "```sh\npharos backup\n```",
        "```sh\ntrue && pharos admin domain add shop.example\n```",
        "```text\nExecStart=/bin/sh -c 'exec /usr/bin/pharos backup --quickly a'\n```",
        "`pharos admin plans put`",
        "`pharos admin user link --for ada@example.org`",
    ] {
        assert_eq!(faults(bad), 1, "{bad}");
    }
}
