//! Findings of a robots.txt: each file is wrong in one thing. `tests/api/robots/bad_sites.rs` of the repository has those that
//! take a fetch to find.

use std::collections::BTreeSet;

use pharos_crawl::robots::{
    file::RobotsFile,
    issue::IssueCode,
    line::{LINE_BYTES, READ_BYTES},
};

/// A file that nothing is wrong with, for a fault to follow.
const GOOD: &str = "User-agent: *\nDisallow: /cart\n";

/// A finding, with its line.
fn found(file: &[u8]) -> Vec<(IssueCode, Option<u32>)> {
    let issues = RobotsFile::parse(file).issues;
    issues.iter().map(|issue| (issue.code, issue.line)).collect()
}

fn after_good(rest: &str) -> Vec<u8> {
    format!("{GOOD}{rest}").into_bytes()
}

/// Whatever the folders of a site are called, a rule of a few letters says nothing of what its pages are made of.
#[test]
fn parts_of_pages_are_told_where_a_rule_is_about_them() {
    for (path, is_told) in [
        ("/a", false),
        ("/c", false),
        ("/s", false),
        ("/assets", true),
        ("/assets/", true),
        ("/css/", true),
        ("/js/*.js", true),
        ("/*.js", true),
        ("/style.css", true),
    ] {
        let found = found(format!("User-agent: *\nDisallow: {path}\n").as_bytes());
        let expected: &[(IssueCode, Option<u32>)] = if is_told {
            &[(IssueCode::BlocksCssJs, Some(2))]
        } else {
            &[]
        };
        assert_eq!(found, expected, "{path}");
    }
}

#[test]
fn a_misspelled_key_is_told_with_the_right_one() {
    let issues = RobotsFile::parse(b"User-agent: *\nDisallow: /cart\nUser-agnet: FooBot\n").issues;
    assert_eq!(issues.len(), 1);
    assert!(
        issues[0].message.ends_with("Did you mean \"user-agent\"?"),
        "{issues:?}"
    );
}

#[test]
fn each_fault_is_found_alone() {
    use IssueCode as Code;

    assert!(found(GOOD.as_bytes()).is_empty());
    let group = |rules: &str| format!("User-agent: *\n{rules}\n").into_bytes();
    let faults: Vec<(Vec<u8>, Code, Option<u32>)> = vec![
        (group("Disallow /cart"), Code::MissingColon, Some(2)),
        (after_good("Foo: bar\n"), Code::UnknownDirective, Some(3)),
        (after_good("nonsense\n"), Code::UnknownDirective, Some(3)),
        (group("Disalow: /cart"), Code::DirectiveTypo, Some(2)),
        (
            format!("Disallow: /a\n{GOOD}").into_bytes(),
            Code::RuleBeforeUserAgent,
            Some(1),
        ),
        (
            after_good(&format!("#{}\n", "x".repeat(LINE_BYTES))),
            Code::LineTooLong,
            Some(3),
        ),
        (
            after_good(&"#\n".repeat(READ_BYTES / 2)),
            Code::FileTooLarge,
            None,
        ),
        (
            b"User-agent: *\nDisallow: /\xfc\n".to_vec(),
            Code::NotUtf8,
            Some(2),
        ),
        (format!("\u{feff}{GOOD}").into_bytes(), Code::BomPresent, None),
        (b"# nothing yet\n".to_vec(), Code::EmptyFile, None),
        (Vec::new(), Code::EmptyFile, None),
        (
            after_good("Sitemap: /sitemap.xml\n"),
            Code::RelativeSitemapUrl,
            Some(3),
        ),
        (after_good("Noindex: /a\n"), Code::UnsupportedDirective, Some(3)),
        (after_good("Disallow: /c%61rt\n"), Code::DuplicateRule, Some(3)),
        (
            b"User-agent: a\nDisallow: /x\n\nUser-agent: A\nDisallow: /y\n".to_vec(),
            Code::DuplicateGroup,
            Some(4),
        ),
        (group("Disallow: cart"), Code::PathNotAbsolute, Some(2)),
        (
            group("Disallow: https://shop.example/cart"),
            Code::FullUrlInPath,
            Some(2),
        ),
        (group("Disallow: /"), Code::BlocksRoot, Some(2)),
        (group("Disallow: /*.css$"), Code::BlocksCssJs, Some(2)),
        (
            after_good("Disallow: /Cart\n"),
            Code::CaseMismatchSuspect,
            Some(3),
        ),
        (after_good("Crawl-delay: 2\n"), Code::CrawlDelayIgnored, Some(3)),
    ];
    for (file, code, line) in &faults {
        let start: String = String::from_utf8_lossy(file).chars().take(80).collect();
        assert_eq!(found(file), [(*code, *line)], "{start:?}");
    }
    // The lines of a page are no lines of a file, which those who fetch it know.
    let of_page = found(b"<!doctype html>\n");
    assert_eq!(
        of_page,
        [(Code::HtmlContent, None), (Code::UnknownDirective, Some(1))]
    );

    let mut told: BTreeSet<Code> = faults.iter().map(|(_, code, _)| *code).collect();
    told.extend([
        Code::HtmlContent,
        // Those of a fetch.
        Code::SitemapUnreachable,
        Code::SitemapOffHost,
        Code::WrongContentType,
        Code::RedirectChain,
    ]);
    let all: BTreeSet<Code> = Code::ALL.iter().copied().collect();
    assert_eq!(told, all, "each has its file");
}
