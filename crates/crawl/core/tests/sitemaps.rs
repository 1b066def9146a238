//! Sitemaps of every kind, and of every fault: each fixture is wrong in one thing.

#![expect(clippy::expect_used, reason = "a test")]

use std::{
    collections::BTreeMap,
    io::{Read, Write as _},
};

use flate2::{Compression, write::GzEncoder};
use pharos_crawl::sitemap::{
    entry::{Alternate, ChangeFrequency, ChildEntry, Entry, SitemapKind, UrlEntry},
    issue::SitemapIssue,
    location::{Home, LONGEST_URL},
    read::{MOST_BYTES, MOST_ENTRIES, Summary, read},
};
use time::{OffsetDateTime, macros::datetime};

const NOW: OffsetDateTime = datetime!(2026-11-24 12:00 UTC);

fn home() -> Home {
    Home {
        url: "https://shop.example/sitemap.xml".parse().expect("a URL"),
    }
}

fn read_all(input: impl Read) -> (Vec<Entry>, Summary) {
    let mut entries = Vec::new();
    let summary = read(input, &home(), NOW, &mut |entry| entries.push(entry));
    (entries, summary)
}

fn urlset(entries: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>"#
    )
}

fn url(loc: &str, rest: &str) -> String {
    format!("<url><loc>{loc}</loc>{rest}</url>")
}

fn page(url: &str) -> UrlEntry {
    UrlEntry {
        url: url.to_owned(),
        lastmod: None,
        change_frequency: None,
        priority: None,
        images: 0,
        videos: 0,
        is_news: false,
        alternates: Vec::new(),
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// The issues of a file, with how often each was found.
fn issues(file: impl AsRef<[u8]>) -> Vec<(&'static str, u64)> {
    let (_, summary) = read_all(file.as_ref());
    summary
        .findings
        .0
        .iter()
        .map(|(issue, finding)| (issue.name(), finding.count))
        .collect()
}

#[test]
fn a_page_is_read_with_all_that_stands_with_it() {
    let file = r#"<?xml version="1.0"?>
<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
  xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"
  xmlns:xhtml="http://www.w3.org/1999/xhtml">
 <s:url>
  <s:loc> https://shop.example/a?x=1&amp;y=&#50; </s:loc><s:lastmod>2026-11-01</s:lastmod>
  <s:changefreq>weekly</s:changefreq><s:priority>0.8</s:priority>
  <image:image><image:loc>https://shop.example/1.png</image:loc></image:image>
  <image:image><image:loc>https://shop.example/2.png</image:loc></image:image>
  <video:video><video:title>A</video:title></video:video>
  <news:news><news:title>B</news:title></news:news>
  <xhtml:link rel="alternate" hreflang="de" href="https://shop.example/de/a"/>
 </s:url>
 <s:url><s:loc><![CDATA[https://shop.example/b]]></s:loc></s:url>
</s:urlset>"#;
    let (entries, summary) = read_all(file.as_bytes());
    let first = UrlEntry {
        lastmod: Some(datetime!(2026-11-01 00:00 UTC)),
        change_frequency: Some(ChangeFrequency::Weekly),
        priority: Some(0.8),
        images: 2,
        videos: 1,
        is_news: true,
        alternates: vec![Alternate {
            hreflang: "de".to_owned(),
            href: "https://shop.example/de/a".to_owned(),
        }],
        ..page("https://shop.example/a?x=1&y=2")
    };
    assert_eq!(
        entries,
        [Entry::Url(first), Entry::Url(page("https://shop.example/b"))]
    );
    assert_eq!(summary.kind, SitemapKind::UrlSet);
    assert_eq!(summary.newest_lastmod, Some(datetime!(2026-11-01 00:00 UTC)));
    assert_eq!(summary.uncompressed_bytes, file.len() as u64);
    assert!(
        summary.is_complete && summary.findings.0.is_empty(),
        "{summary:?}"
    );
}

#[test]
fn an_index_names_sitemaps() {
    let file = r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap>
        <loc>https://shop.example/1.xml.gz</loc><lastmod>2026-11-02T10:00+01:00</lastmod></sitemap></sitemapindex>"#;
    let (entries, summary) = read_all(file.as_bytes());
    let child = ChildEntry {
        url: "https://shop.example/1.xml.gz".to_owned(),
        lastmod: Some(datetime!(2026-11-02 09:00 UTC)),
    };
    assert_eq!(entries, [Entry::Child(child)]);
    assert_eq!(summary.kind, SitemapKind::Index);
}

#[test]
fn feeds_and_plain_text_are_sitemaps_too() {
    let dated = |lastmod| {
        [Entry::Url(UrlEntry {
            lastmod,
            ..page("https://shop.example/a")
        })]
    };
    let rss = r#"<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>https://shop.example/</link>
        <atom:link href="https://shop.example/feed" rel="self"/><item><title>A</title><link>https://shop.example/a</link>
        <pubDate>Tue, 24 Nov 2026 10:00:00 GMT</pubDate></item></channel></rss>"#;
    let (entries, summary) = read_all(rss.as_bytes());
    assert_eq!(entries, dated(Some(datetime!(2026-11-24 10:00 UTC))));
    assert_eq!(summary.kind, SitemapKind::Rss);

    let atom = r#"<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://shop.example/"/><entry>
        <link rel="edit" href="https://shop.example/edit"/><link href="https://shop.example/a"/>
        <updated>2026-11-24T10:00:00Z</updated></entry></feed>"#;
    let (entries, summary) = read_all(atom.as_bytes());
    assert_eq!(entries, dated(Some(datetime!(2026-11-24 10:00 UTC))));
    assert_eq!(summary.kind, SitemapKind::Atom);

    let (entries, summary) = read_all(&b"\xef\xbb\xbfhttps://shop.example/a\r\n\r\n"[..]);
    assert_eq!(entries, dated(None));
    assert_eq!(summary.kind, SitemapKind::Text);
}

#[test]
fn a_compressed_file_is_read_as_it_comes() {
    let file = urlset(&url("https://shop.example/a", ""));
    let (entries, summary) = read_all(&gzip(file.as_bytes())[..]);
    assert_eq!(entries, [Entry::Url(page("https://shop.example/a"))]);
    assert!(summary.is_gzip && summary.is_complete);
    assert_eq!(summary.uncompressed_bytes, file.len() as u64);
}

#[test]
fn each_fault_is_found_alone() {
    let home = "https://shop.example/a";
    let date = |date: &str| urlset(&url(home, &format!("<lastmod>{date}</lastmod>")));
    for (file, found) in [
        (urlset(&url(home, "")), None),
        (
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url>".to_owned(),
            Some("invalid_xml"),
        ),
        (
            "<html><body>Not here</body></html>".to_owned(),
            Some("invalid_xml"),
        ),
        (
            urlset(&url(home, "")).replace("/sitemap/0.9", "/sitemap/0.84"),
            Some("wrong_namespace"),
        ),
        (urlset(&url("https://other.example/a", "")), Some("url_off_host")),
        (
            urlset(&url("http://shop.example/a", "")),
            Some("url_wrong_scheme"),
        ),
        (
            urlset(&url("https://shop.example/\u{fc}", "")),
            Some("url_not_escaped"),
        ),
        (
            urlset(&format!("{}{}", url(home, ""), url(home, ""))),
            Some("duplicate_url"),
        ),
        (date("yesterday"), Some("invalid_lastmod")),
        (date("2026-11-25"), Some("lastmod_in_future")),
        (
            urlset(
                &["a", "b"]
                    .map(|path| {
                        url(
                            &format!("https://shop.example/{path}"),
                            "<lastmod>2026-11-01</lastmod>",
                        )
                    })
                    .concat(),
            ),
            Some("all_lastmod_identical"),
        ),
        (
            urlset(&url(home, "<priority>1e-400</priority>")),
            Some("invalid_priority"),
        ),
        (
            urlset(&url(home, "<priority>-0</priority>")),
            Some("invalid_priority"),
        ),
        (
            urlset(&url(home, "<priority>2</priority>")),
            Some("invalid_priority"),
        ),
        (urlset(""), Some("empty")),
    ] {
        let expected: Vec<_> = found.map(|issue| (issue, 1)).into_iter().collect();
        assert_eq!(issues(&file), expected, "{file}");
    }
    // An address that can't be read makes no entry, so the file is empty besides.
    let longest = format!(
        "https://shop.example/{}",
        "a".repeat(LONGEST_URL - "https://shop.example/".len())
    );
    assert_eq!(issues(urlset(&url(&longest, ""))), []);
    let too_long = format!("{longest}a");
    for (loc, issue) in [
        ("/a", "relative_url"),
        (too_long.as_str(), "relative_url"),
        ("ftp://shop.example/a", "url_wrong_scheme"),
        ("javascript:alert(1)", "url_wrong_scheme"),
    ] {
        let mut expected = vec![(issue, 1), ("empty", 1)];
        expected.sort_by_key(|(name, _)| SitemapIssue::ALL.iter().position(|issue| issue.name() == *name));
        assert_eq!(issues(urlset(&url(loc, ""))), expected, "{loc}");
    }
    // A file that is neither XML nor a list of addresses has no findings about single addresses.
    for file in ["hello {\"a\":1}", "{\"a\": [1, 2]}\n", "nothing\nyet\n"] {
        assert_eq!(issues(file), [("invalid_xml", 1)], "{file}");
    }
    assert_eq!(issues("/a\n"), [("relative_url", 1), ("empty", 1)]);
    let compressed = gzip(urlset(&url(home, "")).as_bytes());
    assert_eq!(
        issues(&compressed[..compressed.len() - 12]),
        [("compression_error", 1)]
    );
}

/// The guide names each kind of finding, with how much it matters.
#[test]
fn the_guide_tells_the_severity_of_each_finding() {
    let guide = include_str!("../../../../docs/guides/sitemaps.md");
    let rows = guide.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        Some((cells.next()?, cells.next()?))
    });
    let told: BTreeMap<&str, &str> = rows
        .filter(|(_, severity)| matches!(*severity, "error" | "warning" | "info"))
        .flat_map(|(codes, severity)| {
            codes
                .split(", ")
                .map(move |code| (code.trim_matches('`'), severity))
        })
        .collect();
    let meant: BTreeMap<&str, &str> = SitemapIssue::ALL
        .iter()
        .map(|issue| (issue.name(), issue.severity().name()))
        .collect();
    assert_eq!(told, meant);
}

#[test]
fn more_entries_than_allowed_are_counted_and_not_read() {
    let entries: String = (0..60_000)
        .map(|number| url(&format!("https://shop.example/{number}"), ""))
        .collect();
    let (read, summary) = read_all(urlset(&entries).as_bytes());
    assert_eq!(read.len() as u64, MOST_ENTRIES);
    assert_eq!(summary.entries, 60_000);
    assert_eq!(issues(urlset(&entries)), [("too_many_urls", 1)]);
}

/// A file of 52,428,800 bytes is in order, one byte more is too much, and a bomb of gzip ends there too.
#[test]
fn a_file_is_read_up_to_its_limit() {
    let file = urlset(&url("https://shop.example/a", ""));
    let fill = |bytes: u64| {
        let filler = usize::try_from(bytes).expect("a size") - file.len();
        file.replace("</urlset>", &format!("{}</urlset>", " ".repeat(filler)))
    };
    assert_eq!(issues(fill(MOST_BYTES)), []);
    assert_eq!(issues(fill(MOST_BYTES + 1)), [("too_large", 1)]);
    let bomb = gzip(&vec![b' '; 100 * 1024 * 1024]);
    assert!(bomb.len() < 200 * 1024);
    let (_, summary) = read_all(&bomb[..]);
    assert!(!summary.is_complete);
    assert_eq!(summary.uncompressed_bytes, MOST_BYTES);
}

#[test]
fn entities_and_document_types_are_refused() {
    let laughs = r#"<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>&lol2;</loc></url></urlset>"#;
    let external = r#"<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><urlset>&e;</urlset>"#;
    let unknown = urlset(&url("https://shop.example/&nbsp;", ""));
    for file in [laughs, external, &unknown] {
        let (entries, summary) = read_all(file.as_bytes());
        assert!(entries.is_empty() && !summary.is_complete);
        assert_eq!(issues(file), [("invalid_xml", 1)]);
    }
}

#[test]
fn whatever_the_bytes_are_something_comes_of_it() {
    let deep = format!("{}{}", urlset("").replace("</urlset>", ""), "<a>".repeat(100_000));
    let long = format!("https://shop.example/{}", "a".repeat(10_000_000));
    let wide = urlset(&url(&"a".repeat(10_000_000), ""));
    for file in [
        deep.as_bytes(),
        long.as_bytes(),
        wide.as_bytes(),
        &[0; 1_000],
        &[0xff; 1_000],
        b"<",
        b"\x1f\x8b",
        b"",
    ] {
        let (entries, _) = read_all(file);
        assert!(entries.is_empty());
    }
}

/// The page in other languages, and the issues of the file, with what stands for one link.
fn alternates(links: &str) -> (Vec<Alternate>, Vec<(&'static str, u64)>) {
    let file = urlset(&url("https://shop.example/", links));
    let (entries, _) = read_all(file.as_bytes());
    let Some(Entry::Url(page)) = entries.into_iter().next() else {
        return (Vec::new(), issues(file));
    };
    (page.alternates, issues(file))
}

#[test]
fn links_to_other_languages_are_kept_within_bounds() {
    let link = |language: &str, href: &str| format!(r#"<link hreflang="{language}" href="{href}"/>"#);
    let empty = link("", "").repeat(500);
    assert_eq!(alternates(&empty), (Vec::new(), Vec::new()));
    let (kept, found) = alternates(&link("not a language", "https://shop.example/de"));
    assert!(kept.is_empty() && found.is_empty());
    let wrong = [
        link("de", ""),
        link("de", "/de"),
        link("de", "javascript:alert(1)"),
    ]
    .concat();
    let (kept, found) = alternates(&wrong);
    assert!(kept.is_empty());
    assert_eq!(found, [("url_wrong_scheme", 1), ("relative_url", 2)]);
    let long = format!("https://shop.example/{}", "a".repeat(4_000_000));
    assert!(alternates(&link("de", &long)).0.is_empty());
    let long = format!("https://shop.example/{}", "a".repeat(8_000));
    let (kept, _) = alternates(&link("de", &long).repeat(10));
    assert_eq!(kept.len(), 4, "as many as there is room for");
    let (kept, _) = alternates(&link("x-default", "https://user:pw@SHOP.example").repeat(201));
    assert_eq!(kept.len(), 200);
    assert_eq!(kept[0].href, "https://shop.example/");
}
