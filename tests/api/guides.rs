//! The code that guides show is code of the repository, so that the compiler or PostgreSQL has checked it.
//!
//! A block names its file after the language: ```` ```rust crates/uptime/core/src/run.rs ````. Its lines stand in that file as
//! they are, one after the other. A line `// …` (`-- …` in SQL) leaves lines out: the parts around it come in this order.
//!
//! The map and the glossary have all crates and groups.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const GUIDES: [&str; 5] = [
    "adding-a-group.md",
    "adding-a-job.md",
    "adding-an-operation.md",
    "guides/sdks.md",
    "guides/webhooks.md",
];

fn read(path: &str) -> Option<String> {
    fs::read_to_string(
        [env!("CARGO_MANIFEST_DIR"), "..", path]
            .iter()
            .collect::<PathBuf>(),
    )
    .ok()
}

/// A block of code in a guide.
struct Block<'a> {
    language: &'a str,
    /// The file that it is of; an empty text where it names none.
    file: &'a str,
    lines: Vec<&'a str>,
}

fn blocks(guide: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = guide.lines();
    while let Some(fence) = lines
        .by_ref()
        .find_map(|line| line.trim_start().strip_prefix("```"))
    {
        let (language, file) = fence.split_once(' ').unwrap_or((fence, ""));
        blocks.push(Block {
            language,
            file: file.trim(),
            lines: lines
                .by_ref()
                .take_while(|line| !line.trim_start().starts_with("```"))
                .collect(),
        });
    }
    blocks
}

/// Why a block is not what the source of its file has; `None` where it is.
fn fault(block: &Block<'_>, source: &str) -> Option<String> {
    let source: Vec<&str> = source.lines().collect();
    let mut from = 0;
    for part in block.lines.split(|line| matches!(line.trim(), "// …" | "-- …")) {
        if !part.iter().any(|line| line.contains(char::is_alphanumeric)) {
            return Some("a part without a word could be from anywhere".to_owned());
        }
        let rest = source.get(from..).unwrap_or_default();
        let Some(at) = rest.windows(part.len()).position(|lines| lines == part) else {
            return Some(format!("these lines do not come there:\n{}", part.join("\n")));
        };
        from += at + part.len();
    }
    None
}

#[test]
fn the_guide_has_every_member_of_a_beacon_of_vitals() {
    let guide = read("docs/guides/collect.md").unwrap();
    let mut members = 0;
    for file in [
        "vitals_beacon.rs",
        "vitals_beacon/cause.rs",
        "vitals_beacon/items.rs",
    ] {
        let source = read(&format!("crates/ingest/core/src/{file}")).unwrap();
        for part in source.split("told.").skip(1) {
            let Some((call, rest)) = part.split_once("(\"") else {
                continue;
            };
            if !call.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
                continue;
            }
            let (member, _) = rest.split_once('"').unwrap();
            assert!(guide.contains(&format!("`{member}`")), "{member} of {file}");
            members += 1;
        }
    }
    assert!(members > 50, "{members}");
}

#[test]
fn code_in_the_guides_is_code_of_the_files_that_it_names() {
    for guide in GUIDES {
        let text = read(&format!("docs/{guide}")).unwrap();
        let mut shown = 0;
        for block in blocks(&text) {
            // SQL may be a pattern, which no file has.
            if block.language != "rust" && block.file.is_empty() {
                continue;
            }
            let (file, first) = (block.file, block.lines.first().copied().unwrap_or_default());
            assert!(!file.is_empty(), "{guide}: the block {first:?} names no file");
            let source = read(file).unwrap_or_else(|| panic!("{guide}: there is no file {file}"));
            let fault = fault(&block, &source);
            assert_eq!(fault, None, "{guide} shows {first:?} as a part of {file}");
            shown += 1;
        }
        assert!(shown > 1, "{guide} shows hardly any code");
    }
}

#[test]
fn a_block_that_its_file_does_not_have_is_found() {
    let source = "fn a() {\n    one();\n}\n\nfn b() {\n    two();\n}\n";
    let is_at_fault = |block: &str| {
        let guide = format!("```rust a.rs\n{block}\n```\n");
        let [block] = &blocks(&guide)[..] else {
            panic!("no block in {guide}")
        };
        assert_eq!((block.language, block.file), ("rust", "a.rs"));
        fault(block, source).is_some()
    };
    for good in [
        "fn a() {\n    one();\n}",
        "}\n\nfn b() {",
        "fn a() {\n    // …\n}\n\nfn b() {\n    // …\n    two();",
        "    two();",
    ] {
        assert!(!is_at_fault(good), "{good}");
    }
    for bad in [
        "}",
        "",
        "fn a() {\n    // …\n}",
        "fn a() {\n    two();",
        "fn a() {\n    two();\n}",
        "fn b() {\n    // …\n    one();",
        "fn a() {\n    one();\n    // …\n    one();",
        "two();",
        "    two",
        "fn b() {\n\n    two();",
    ] {
        assert!(is_at_fault(bad), "{bad}");
    }
}

/// The names of the folders below `crates`, each with whether it is a group.
fn crates() -> Vec<(String, bool)> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../crates"].iter().collect();
    let folders = fs::read_dir(folder)
        .unwrap()
        .map(Result::unwrap)
        .filter(|entry| entry.path().is_dir());
    folders
        .map(|entry| {
            let is_group = entry.path().join("core").is_dir();
            (entry.file_name().into_string().unwrap(), is_group)
        })
        .collect()
}

#[test]
fn the_architecture_and_the_glossary_have_every_crate_and_group() {
    let architecture = read("docs/architecture.md").unwrap();
    let glossary = read("docs/glossary.md").unwrap();
    let picture = architecture.lines().find(|line| line.contains("(account, "));
    let word = glossary.lines().find(|line| line.starts_with("| group | "));
    let (picture, word) = (picture.unwrap(), word.unwrap());
    for (name, is_group) in crates() {
        let row = format!("| `crates/{name}` | ");
        assert!(
            architecture.contains(&row),
            "architecture.md lacks a row of {name}"
        );
        if is_group {
            assert!(
                picture.contains(&name),
                "the picture of architecture.md lacks {name}"
            );
            assert!(word.contains(&name), "the word group of glossary.md lacks {name}");
        }
    }
}

/// A program of the script that is played: what it does not call is not there.
fn play(folder: &Path, name: &str, script: &str) {
    let file = folder.join(name);
    fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The script of the guide to the lab.
fn script_of_builds() -> String {
    let guide = read("docs/guides/lab.md").unwrap();
    let blocks = blocks(&guide);
    let script = blocks
        .iter()
        .find(|block| block.lines.contains(&"set -eu"))
        .unwrap();
    script.lines.join("\n")
}

/// The script, as a build runs it for a URL by the programs of a folder.
fn build(script: &str, programs: &Path, url: &str) -> Command {
    let path = format!("{}:/usr/bin:/bin", programs.display());
    let mut build = Command::new("/bin/sh");
    build
        .args(["-c", script])
        .env_clear()
        .envs([("PATH", path.as_str()), ("PHAROS", "http://pharos"), ("KEY", "k")])
        .envs([("DOMAIN", "d"), ("BUILD", "7"), ("URL_ID", url)])
        .stdin(Stdio::null());
    build
}

/// A build that fails without a reason is one that somebody has to run again by hand. The curl that is played writes the body
/// of a refusal as the real one does: with `--fail-with-body` alone.
#[test]
fn a_build_whose_test_is_refused_says_why() {
    let script = script_of_builds();
    let folder = tempfile::tempdir().unwrap();
    play(
        folder.path(),
        "curl",
        r#"while [ $# -gt 0 ]; do
            case "$1" in -o) file=$2 ;; --fail-with-body) has_body=yes ;; esac
            shift
        done
        if [ -n "${has_body:-}" ]; then echo '{"detail": "no room"}' > "${file:-/dev/stdout}"; fi
        exit 22"#,
    );
    play(folder.path(), "jq", "echo '{}'");
    let ended = build(&script, folder.path(), "shoes").output().unwrap();
    assert!(!ended.status.success());
    let told = String::from_utf8_lossy(&ended.stderr);
    assert!(told.contains("no room"), "{told}");
}

/// The jq that is played says no to the question whether each budget was kept, as the real one says it to a result with one that
/// was not.
#[test]
fn a_build_whose_test_exceeds_a_budget_fails() {
    let script = script_of_builds();
    assert!(script.contains("all(.budget_results[]; .passed != false)"));
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "curl", "exit 0");
    play(folder.path(), "sleep", "exit 0");
    for (status, is_kept) in [(0, true), (1, false)] {
        let jq = format!(
            "case \"$*\" in *.passed*) exit {status} ;; *.run_id*) echo run ;; *.status*) echo succeeded ;; \
             *) cat > /dev/null ;; esac"
        );
        play(folder.path(), "jq", &jq);
        let ended = build(&script, folder.path(), "shoes").status().unwrap();
        assert_eq!(ended.success(), is_kept);
    }
}

/// The script, run as a build runs it. One key for two tests would be refused as a conflict.
#[test]
fn each_url_and_profile_of_a_build_has_a_key_of_its_own() {
    let script = script_of_builds();
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys");
    play(
        folder.path(),
        "curl",
        r#"printf '%s\n' "$@" | grep '^Idempotency-Key' >> "$KEYS"; echo '{}'"#,
    );
    play(
        folder.path(),
        "jq",
        "case \"$*\" in *.run_id*) echo run ;; *.status*) echo succeeded ;; *) cat > /dev/null ;; esac",
    );
    play(folder.path(), "sleep", "exit 0");
    for (url, profile) in [("shoes", None), ("hats", None), ("shoes", Some("desktop"))] {
        let mut build = build(&script, folder.path(), url);
        build
            .envs(profile.map(|profile| ("PROFILE", profile)))
            .env("KEYS", &keys);
        assert!(build.status().unwrap().success(), "{url} {profile:?}");
    }
    let used = fs::read_to_string(&keys).unwrap();
    let mut used: Vec<&str> = used.lines().collect();
    used.sort_unstable();
    used.dedup();
    assert_eq!(used.len(), 3, "{used:?}");
}
