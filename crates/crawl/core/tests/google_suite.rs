//! The cases of Google's public test suite of its parser (github.com/google/robotstxt, `robots_test.cc`), in tables of our own.
//!
//! Where RFC 9309 and that parser differ on percent-encoding we keep to the RFC (section 2.2.2); those cases say so.

use pharos_crawl::robots::{
    file::{RobotsFile, product_token},
    line::LINE_BYTES,
    pattern::Target,
};

#[track_caller]
fn check(file: &str, cases: &[(&str, &str, bool)]) {
    let file = RobotsFile::parse(file.as_bytes());
    for (agent, path, expected) in cases {
        let decision = file.access(agent).decide(&Target::new(path));
        assert_eq!(decision.is_allowed, *expected, "{agent} {path} {decision:?}");
    }
}

/// The same path for one crawler, in files that are variants of each other.
#[track_caller]
fn check_each(files: &[&str], cases: &[(&str, &str, bool)]) {
    for file in files {
        check(file, cases);
    }
}

#[test]
fn nothing_to_obey_allows_everything() {
    check("", &[("FooBot", "/", true)]);
    check("user-agent: FooBot\ndisallow: /\n", &[("", "/", true)]);
}

#[test]
fn keys_need_to_be_known_and_colons_may_lack() {
    check("user-agent: FooBot\ndisallow: /\n", &[("FooBot", "/x/y", false)]);
    check("foo: FooBot\nbar: /\n", &[("FooBot", "/x/y", true)]);
    check("user-agent FooBot\ndisallow /\n", &[("FooBot", "/x/y", false)]);
}

#[test]
fn groups_of_one_crawler_are_one() {
    let file = "allow: /foo/bar/\n\nuser-agent: FooBot\ndisallow: /\nallow: /x/\nuser-agent: BarBot\ndisallow: /\n\
                allow: /y/\n\n\nallow: /w/\nuser-agent: BazBot\n\nuser-agent: FooBot\nallow: /z/\ndisallow: /\n";
    check(
        file,
        &[
            ("FooBot", "/x/b", true),
            ("FooBot", "/z/d", true),
            ("FooBot", "/y/c", false),
            ("BarBot", "/y/c", true),
            ("BarBot", "/w/a", true),
            ("BarBot", "/z/d", false),
            ("BazBot", "/z/d", true),
            // The rule before any group is nobody's.
            ("FooBot", "/foo/bar/", false),
            ("BarBot", "/foo/bar/", false),
            ("BazBot", "/foo/bar/", false),
        ],
    );
}

#[test]
fn other_lines_end_no_group() {
    let both = [("FooBot", "/", false), ("BarBot", "/", false)];
    check_each(
        &[
            "User-agent: BarBot\nSitemap: https://foo.bar/sitemap\nUser-agent: *\nDisallow: /\n",
            "User-agent: BarBot\nInvalid-Unknown-Line: unknown\nUser-agent: *\nDisallow: /\n",
        ],
        &both,
    );
}

#[test]
fn keys_are_read_in_any_case() {
    check_each(
        &[
            "USER-AGENT: FooBot\nALLOW: /x/\nDISALLOW: /\n",
            "user-agent: FooBot\nallow: /x/\ndisallow: /\n",
            "uSeR-aGeNt: FooBot\nAlLoW: /x/\ndIsAlLoW: /\n",
        ],
        &[("FooBot", "/x/y", true), ("FooBot", "/a/b", false)],
    );
}

#[test]
fn a_product_token_is_letters_underscores_and_hyphens() {
    for (name, token) in [
        ("Foobot", "foobot"),
        ("Foobot-Bar", "foobot-bar"),
        ("Foo_Bar", "foo_bar"),
        ("Foobot/2.1", "foobot"),
        ("Foobot*", "foobot"),
        ("Foobot Bar", "foobot"),
        ("\u{30c4}", ""),
        ("", ""),
    ] {
        assert_eq!(product_token(name), token, "{name}");
    }
}

#[test]
fn who_has_no_token_is_named_by_nobody() {
    for name in ["360Spider", "008", "", "(compatible)"] {
        let file = format!("User-agent: {name}\nDisallow: /\n\nUser-agent: *\nDisallow: /x/\n");
        check(
            &file,
            &[
                ("", "/a", true),
                ("*", "/a", true),
                ("*", "/x/y", false),
                ("FooBot", "/a", true),
            ],
        );
        let twice = format!("User-agent: {name}\nDisallow: /x\n\nUser-agent: 80legs\nDisallow: /y\n");
        let issues = RobotsFile::parse(twice.as_bytes()).issues;
        assert!(issues.is_empty(), "{name}: {issues:?}");
    }
}

#[test]
fn crawlers_are_told_by_their_token_in_any_case() {
    check_each(
        &[
            "User-Agent: FOO BAR\nAllow: /x/\nDisallow: /\n",
            "User-Agent: foo bar\nAllow: /x/\nDisallow: /\n",
            "User-Agent: FoO bAr\nAllow: /x/\nDisallow: /\n",
        ],
        &[
            ("Foo", "/x/y", true),
            ("Foo", "/a/b", false),
            ("foo", "/x/y", true),
            ("foo", "/a/b", false),
        ],
    );
}

#[test]
fn a_group_of_its_own_comes_before_that_of_all() {
    check(
        "user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n",
        &[("FooBot", "/x/y", false), ("BarBot", "/x/y", true)],
    );
    check(
        "user-agent: FooBot\nallow: /\nuser-agent: BarBot\ndisallow: /\nuser-agent: BazBot\ndisallow: /\n",
        &[("QuxBot", "/x/y", true)],
    );
    check(
        "User-agent: *\nDisallow: /x/\nUser-agent: FooBot\nDisallow: /y/\n",
        &[("FooBot", "/x/page", true), ("FooBot", "/y/page", false)],
    );
}

#[test]
fn paths_are_read_in_their_case() {
    check(
        "user-agent: FooBot\ndisallow: /x/\n",
        &[("FooBot", "/x/y", false)],
    );
    check("user-agent: FooBot\ndisallow: /X/\n", &[("FooBot", "/x/y", true)]);
}

#[test]
fn the_longest_path_decides_and_allow_wins_a_tie() {
    let page = "/x/page.html";
    for (file, path, expected) in [
        ("disallow: /x/page.html\nallow: /x/\n", page, false),
        ("allow: /x/page.html\ndisallow: /x/\n", page, true),
        ("allow: /x/page.html\ndisallow: /x/\n", "/x/", false),
        ("disallow: \nallow: \n", page, true),
        ("disallow: /\nallow: /\n", page, true),
        ("disallow: /x\nallow: /x/\n", "/x", false),
        ("disallow: /x\nallow: /x/\n", "/x/", true),
        ("disallow: /x/page.html\nallow: /x/page.html\n", page, true),
        ("allow: /page\ndisallow: /*.html\n", "/page.html", false),
        ("allow: /page\ndisallow: /*.html\n", "/page", true),
        ("allow: /x/page.\ndisallow: /*.html\n", page, true),
        ("allow: /x/page.\ndisallow: /*.html\n", "/x/y.html", false),
        ("allow: /p\ndisallow: /\n", "/page", true),
        ("allow: /folder\ndisallow: /folder\n", "/folder/page", true),
        ("allow: /page\ndisallow: /*.htm\n", "/page.htm", false),
        ("allow: /$\ndisallow: /\n", "/", true),
        ("allow: /$\ndisallow: /\n", "/page.html", false),
    ] {
        check(
            &format!("user-agent: FooBot\n{file}"),
            &[("FooBot", path, expected)],
        );
    }
}

#[test]
fn encodings_are_those_of_the_rfc() {
    let file = |path: &str| format!("User-agent: FooBot\nDisallow: /\nAllow: {path}\n");
    let query = "/foo/bar?qux=taz&baz=http://foo.bar?tar&par";
    check(&file(query), &[("FooBot", query, true)]);
    // Google's parser leaves the URL to its caller: of these it matches the first only.
    for path in ["/foo/bar/%E3%83%84", "/foo/bar/\u{30c4}"] {
        check(&file("/foo/bar/\u{30c4}"), &[("FooBot", path, true)]);
        check(&file("/foo/bar/%E3%83%84"), &[("FooBot", path, true)]);
    }
    // The table of RFC 9309 has these match; Google's parser matches the second only.
    for path in ["/foo/bar/baz", "/foo/bar/%62%61%7A"] {
        check(&file("/foo/bar/%62%61%7A"), &[("FooBot", path, true)]);
    }
}

#[test]
fn wildcards_ends_and_comments() {
    let group = |rules: &str| format!("User-agent: FooBot\n{rules}");
    check(
        &group("Disallow: /foo/bar/quz\nAllow: /foo/*/qux\n"),
        &[
            ("FooBot", "/foo/bar/quz", false),
            ("FooBot", "/foo/quz", true),
            ("FooBot", "/foo//quz", true),
            ("FooBot", "/foo/bax/quz", true),
        ],
    );
    check(
        &group("Disallow: /foo/bar$\nAllow: /foo/bar/qux\n"),
        &[
            ("FooBot", "/foo/bar", false),
            ("FooBot", "/foo/bar/qux", true),
            ("FooBot", "/foo/bar/", true),
            ("FooBot", "/foo/bar/baz", true),
        ],
    );
    check(
        &group("# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /\n"),
        &[("FooBot", "/foo/bar", true), ("FooBot", "/foo/quz", false)],
    );
}

#[test]
fn an_index_page_is_its_folder() {
    check(
        "User-Agent: *\nAllow: /allowed-slash/index.html\nDisallow: /\n",
        &[
            ("foobot", "/allowed-slash/", true),
            ("foobot", "/allowed-slash/index.htm", false),
            ("foobot", "/allowed-slash/index.html", true),
            ("foobot", "/anyother-url", false),
        ],
    );
}

#[test]
fn a_line_is_read_up_to_its_limit() {
    let long = |key: &str, filler: &str| {
        let start = format!("{key}: /x/");
        format!("/x/{}", filler.repeat(LINE_BYTES - start.len()))
    };
    let blocked = long("disallow", "a");
    check(
        &format!("user-agent: FooBot\ndisallow: {blocked}/qux\n"),
        &[
            ("FooBot", "/fux", true),
            ("FooBot", &format!("{blocked}/fux"), false),
        ],
    );
    let (a, b) = (long("allow", "a"), long("allow", "b"));
    check(
        &format!("user-agent: FooBot\ndisallow: /\nallow: {a}/qux\nallow: {b}/qux\n"),
        &[
            ("FooBot", "/", false),
            ("FooBot", &format!("{a}/qux"), true),
            ("FooBot", &format!("{b}/fux"), true),
        ],
    );
}

#[test]
fn lines_are_counted_whatever_ends_them() {
    let unix = "User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\nDisallow: /\n";
    let mixed = "User-Agent: foo\nAllow: /some/path\r\nUser-Agent: bar\n\r\n\nDisallow: /";
    for file in [
        unix.to_owned(),
        unix.replace('\n', "\r\n"),
        unix.replace('\n', "\r"),
        unix.trim_end().to_owned(),
        mixed.to_owned(),
    ] {
        let read = RobotsFile::parse(file.as_bytes());
        let lines: Vec<u32> = read
            .groups
            .iter()
            .flat_map(|group| &group.rules)
            .map(|rule| rule.line)
            .collect();
        let starts: Vec<u32> = read.groups.iter().map(|group| group.start_line).collect();
        assert_eq!((lines, starts), (vec![2, 6], vec![1, 3]), "{file:?}");
    }
}

#[test]
fn a_mark_of_the_byte_order_is_skipped_at_the_beginning_only() {
    let read = |start: &[u8]| {
        let file = RobotsFile::parse(&[start, b"User-Agent: foo\nAllow: /AnyValue\n"].concat());
        (
            file.groups.len(),
            file.rules_count(),
            file.other_lines.len(),
            file.has_bom,
        )
    };
    assert_eq!(read(b"\xef\xbb\xbf"), (1, 1, 0, true));
    assert_eq!(read(b"\xef\xbb"), (1, 1, 0, true));
    assert_eq!(read(b"\xef"), (1, 1, 0, true));
    assert_eq!(
        read(b"\xef\x11\xbf"),
        (0, 0, 1, true),
        "the first line is broken, and the rule is nobody's"
    );
    let middle = RobotsFile::parse(b"User-Agent: foo\n\xef\xbb\xbfAllow: /AnyValue\n");
    assert_eq!((middle.rules_count(), middle.other_lines.len()), (0, 1));
}

#[test]
fn sitemaps_belong_to_no_group() {
    let groups = "User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\n";
    let sitemap = "Sitemap: http://foo.bar/sitemap.xml\n";
    for file in [format!("{groups}{sitemap}"), format!("{sitemap}{groups}")] {
        let read = RobotsFile::parse(file.as_bytes());
        let urls: Vec<&str> = read.sitemaps.iter().map(|sitemap| sitemap.url.as_str()).collect();
        assert_eq!(urls, ["http://foo.bar/sitemap.xml"]);
    }
}
