//! Whatever a robots.txt holds, reading it and asking it takes no longer than its length says; and whatever bytes it, or a sitemap,
//! is made of, something comes of them.

#![expect(clippy::expect_used, reason = "a test")]

use std::time::{Duration, Instant};

use pharos_crawl::{
    robots::{
        crawlers::access_of_all, effort::Effort, file::RobotsFile, line::READ_BYTES, overlap::overlaps,
        pattern::Target,
    },
    sitemap::{
        location::Home,
        page,
        read::{MOST_ENTRIES, read},
    },
};
use time::macros::datetime;

/// How long 500 URLs may take. Tests are not optimised.
const WITHIN: Duration = Duration::from_millis(if cfg!(debug_assertions) { 3_000 } else { 50 });

#[test]
fn a_full_file_of_wildcards_answers_500_urls_at_once() {
    let filled = |start: &str, unit: &str| {
        let times = (READ_BYTES - start.len()) / unit.len();
        format!("{start}{}", unit.repeat(times))
    };
    let urls: Vec<Target> = (0..500)
        .map(|number| Target::new(&format!("/shop/{number}/{}?a=*", "x".repeat(100))))
        .collect();
    for (file, is_allowed) in [
        (filled("User-agent: *\nDisallow: ", "*"), false),
        (filled("User-agent: *\n", "Disallow: /*\n"), false),
        (filled("User-agent: *\n", "Disallow: *$\n"), false),
        (filled("User-agent: *\n", "Allow: /*\nDisallow: *\n"), true),
        (filled("User-agent: *\n", "Disallow:*zqzz\n"), true),
    ] {
        // The best of a few: the machine has others at work, too.
        let took = (0..5).map(|_| {
            let began = Instant::now();
            let parsed = RobotsFile::parse(file.as_bytes());
            let access = parsed.access("Googlebot").in_order();
            assert!(urls.iter().all(|url| access.decide(url).is_allowed == is_allowed));
            began.elapsed()
        });
        let best = took.min().expect("five");
        let start: String = file.chars().take(40).collect();
        assert!(best < WITHIN, "{start:?}: {best:?}");
    }
}

/// Which groups speak to a crawler is asked of many crawlers, and does not wait for the rules to be put in order.
#[test]
fn a_full_file_tells_its_groups_at_once() {
    let rules: String = (0..25_000)
        .map(|number| format!("Disallow: /{number:x}\n"))
        .collect();
    let parsed = RobotsFile::parse(format!("User-agent: *\n{rules}").as_bytes());
    assert_eq!(parsed.rules_count(), 25_000);
    let took = (0..5).map(|_| {
        let began = Instant::now();
        assert!((0..200).all(|_| parsed.access("Googlebot").groups.len() == 1));
        began.elapsed()
    });
    let best = took.min().expect("five");
    assert!(best < WITHIN, "{best:?}");
}

/// The pieces that files are put together from, whole and broken.
const PIECES: &[&[u8]] = &[
    b"User-agent: *\n",
    b"user-agent Googlebot\r\n",
    b"User-agent: a\0\nAllow: /\n",
    b"Disallow: /",
    b"Allow: *",
    b"Disallow: /*a$",
    b"Sitemap: https://shop.example/sitemap.xml\r",
    b"Crawl-delay: 1e999\n",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\0",
    b"%",
    b"%C3%",
    b"#",
    b":",
    b"\n\n",
    b"<?xml version=\"1.0\"?>",
    b"<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">",
    b"<sitemapindex>",
    b"<rss><channel><item><link>",
    b"<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><link href=\"/\"/>",
    b"<url><loc>https://shop.example/a</loc>",
    b"<lastmod>2026-02-30T24:61:00+99:00</lastmod>",
    b"<priority>NaN</priority>",
    b"</url>",
    b"</urlset>",
    b"<![CDATA[",
    b"]]>",
    b"&#x110000;",
    b"&amp;",
    b"<!DOCTYPE x [",
    b"<!--",
    b"<a b='",
    b"\x1f\x8b\x08\0\0\0\0\0",
    b"<meta name=robots content=noindex>",
    b"<link rel=canonical href=//[>",
];

/// Numbers by chance, the same each time: xorshift of 64 bits.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % most.max(1)
    }
}

/// Puts pieces together by chance, and breaks some. Fuzzing for longer: `PHAROS_TEST_FUZZ_SECONDS=600`, with `--release`.
#[test]
fn whatever_the_bytes_are_something_comes_of_them() {
    let seconds = std::env::var("PHAROS_TEST_FUZZ_SECONDS").ok();
    let seconds = seconds.and_then(|seconds| seconds.parse().ok()).unwrap_or(2);
    let until = Instant::now() + Duration::from_secs(seconds);
    let mut chance = Chance(0x2545_f491_4f6c_dd1d);
    let mut below = |most| chance.below(most);
    while Instant::now() < until {
        let mut bytes = Vec::new();
        for _ in 0..below(40) {
            bytes.extend_from_slice(PIECES[below(PIECES.len())]);
        }
        for _ in 0..below(4) {
            let at = below(bytes.len());
            if bytes.is_empty() {
                continue;
            }
            match below(3) {
                0 => bytes[at] = u8::try_from(below(256)).expect("a byte"),
                1 => bytes.truncate(at),
                _ => bytes.extend_from_within(at..),
            }
        }
        robots(&bytes);
        sitemap(&bytes);
    }
}

fn robots(bytes: &[u8]) {
    let file = RobotsFile::parse(bytes);
    let target = Target::new(&String::from_utf8_lossy(bytes));
    let _ = access_of_all(&file, &target);
    let _ = overlaps(&file.access("Googlebot"), &mut Effort::default());
    // Stores take a NUL for an end.
    let mut texts = file
        .issues
        .iter()
        .flat_map(|issue| [Some(&issue.message), issue.excerpt.as_ref()]);
    assert!(
        texts.all(|text| text.is_none_or(|text| !text.contains('\0'))),
        "{bytes:?}"
    );
    let last = u32::try_from(bytes.len()).expect("a short file") + 1;
    let mut lines = file.issues.iter().filter_map(|issue| issue.line);
    assert!(lines.all(|line| (1..=last).contains(&line)), "{bytes:?}");
}

fn sitemap(bytes: &[u8]) {
    let home = Home {
        url: "https://shop.example/sitemap.xml".parse().expect("a URL"),
    };
    let mut entries = 0_u64;
    let summary = read(bytes, &home, datetime!(2026-11-24 12:00 UTC), &mut |_| {
        entries += 1;
    });
    assert_eq!(summary.entries.min(MOST_ENTRIES), entries, "{bytes:?}");
    let _ = page::read(&home.url, bytes);
}
