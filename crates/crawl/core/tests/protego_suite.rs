//! The cases of the public test suite of Protego (github.com/scrapy/protego, release 0.7.0, `test_protego.py` and
//! `test_on_google_spec.py`), in tables of our own.
//!
//! Its cases of `Request-rate`, `Visit-time` and `Host` are left out: those lines are told as unused, and nothing follows from
//! them. Where we answer otherwise than Protego, the case stands in `WE_DIFFER` with the text that decides it. Tokens are
//! letters, so its crawlers with digits have other names here.

use pharos_crawl::robots::{
    file::RobotsFile,
    issue::IssueCode,
    pattern::{Pattern, Target},
};

#[track_caller]
fn check(file: &str, cases: &[(&str, &str, bool)]) {
    let read = RobotsFile::parse(file.as_bytes());
    for (agent, path, expected) in cases {
        let decision = read.access(agent).decide(&Target::new(path));
        assert_eq!(decision.is_allowed, *expected, "{agent} {path} {decision:?}");
    }
}

#[test]
fn rules_keep_out_and_let_in() {
    check(
        "User-agent: * \nDisallow: /disallowed \nAllow: /allowed \nCrawl-delay: 10",
        &[("*", "/allowed", true), ("*", "/disallowed", false)],
    );
    check(
        "User-agent: * \nDisallow: /d \nCrawl-delay: 10",
        &[("*", "/abc/d", true), ("*", "/disallowed", false)],
    );
    check(
        "",
        &[
            ("*", "/", true),
            ("chrome", "/", true),
            ("*", "/index.html", true),
            ("*", "/disallowed", true),
        ],
    );
}

#[test]
fn misspelled_keys_are_read() {
    check(
        "User-agent: * \nDisallow: /one \nDissallow: /two \nDissalow: /three \nDisalow: /four \nDiasllow: /five \nDisallaw: /six \n",
        &[
            ("*", "/one", false),
            ("*", "/two", false),
            ("*", "/three", false),
            ("*", "/four", false),
            ("*", "/five", false),
            ("*", "/six", false),
            ("*", "/seven", true),
        ],
    );
}

#[test]
fn the_longest_rule_decides() {
    check(
        "User-agent: * \nDisallow: / \nAllow: /page",
        &[("*", "/page", true), ("*", "/elsewhere", false)],
    );
    check(
        "user-agent: FooBot\ndisallow: /folder\nallow: /folder\n",
        &[("FooBot", "/folder/page", true)],
    );
    check(
        "User-Agent: *\nallow: */p\ndisallow: /\n",
        &[("*", "/page", true), ("*", "/elsewhere", false)],
    );
    check(
        "User-Agent: *\nallow: /page\ndisallow: */*.htm\n",
        &[("*", "/page.htm", false), ("*", "/page", true)],
    );
}

#[test]
fn an_encoded_letter_is_the_letter() {
    for rule in ["/a%3cd.html", "/a%3c*", "/a<d.html", "/a<*", "/a%3Cd.html"] {
        check(
            &format!("User-agent: * \nDisallow: / \nAllow: {rule}"),
            &[
                ("*", "/a<d.html", true),
                ("*", "/a%3cd.html", true),
                ("*", "/a%3Cd.html", true),
                ("*", "/abd.html", false),
            ],
        );
    }
    for rule in ["/foo?bar=\u{30c4}", "/foo?bar=%E3%83%84", "/foo?bar=%e3%83%84"] {
        check(
            &format!("User-agent: FooBot\nDisallow: /\nAllow: {rule}\n"),
            &[
                ("FooBot", "/foo?bar=\u{30c4}", true),
                ("FooBot", "/foo?bar=%E3%83%84", true),
                ("FooBot", "/foo?bar=%e3%83%84", true),
                ("FooBot", "/foo?bar=", false),
            ],
        );
    }
}

#[test]
fn parameters_and_queries_are_matched_and_fragments_are_not() {
    check(
        "User-agent: * \nDisallow: /path;params?query \n",
        &[("*", "/path;params?query#fragment", false), ("*", "/path", true)],
    );
    check(
        "User-agent: * \nDisallow: /? \n",
        &[("*", "/?query", false), ("*", "/", true)],
    );
    check(
        "User-agent: * \nDisallow: /; \n",
        &[("*", "/;params", false), ("*", "/", true)],
    );
    check(
        "User-agent: FooBot\nDisallow: /foo;a=b?c=d$\n",
        &[
            ("FooBot", "/foo;a=b?c=d", false),
            ("FooBot", "/foo;a=b?c=d#e", false),
        ],
    );
    check(
        "User-agent: * \nDisallow: /*s=",
        &[("*", "/", true), ("*", "/s/", true), ("*", "/?s=asd", false)],
    );
    check(
        "User-agent: *\nAllow: /*/filter/page=*/$\nDisallow: /\n",
        &[
            ("*", "/1/filter/page=5/", true),
            ("*", "/1/filter/page=5/x", false),
        ],
    );
}

#[test]
fn sitemaps_are_read_wherever_they_stand() {
    for (text, expected) in [
        (
            "User-agent: * \nDisallow: /disallowed \nAllow: /allowed \nSitemap: https://site.local/sitemap.xml \n\
             Allow: /another_allowed \nUser-agent: testbot \nSitemap: https://site.local/sitemap2.xml",
            &[
                "https://site.local/sitemap.xml",
                "https://site.local/sitemap2.xml",
            ][..],
        ),
        ("User-agent: * \nDisallow: /disallowed \nCrawl-delay: 10", &[][..]),
        (
            "Sitemap: https://www.foo.bar/sitmap.xml\nUser-Agent: FootBot\nDisallow: /something",
            &["https://www.foo.bar/sitmap.xml"][..],
        ),
        (
            "Host: www.site.local\nSitemap: https://site.local/sitemap.xml\n",
            &["https://site.local/sitemap.xml"][..],
        ),
    ] {
        let read = RobotsFile::parse(text.as_bytes());
        let urls: Vec<&str> = read.sitemaps.iter().map(|sitemap| sitemap.url.as_str()).collect();
        assert_eq!(urls, expected, "{text}");
    }
}

#[test]
fn a_pause_is_a_number_of_seconds() {
    for (written, expected) in [
        ("0", Some(0.0)),
        ("10", Some(10.0)),
        ("15", Some(15.0)),
        ("5.2", Some(5.2)),
        ("random_word", None),
        ("-5", None),
        ("-0.5", None),
        ("inf", None),
        ("-inf", None),
        ("nan", None),
    ] {
        let text = format!(
            "User-agent: *\nDisallow: /disallowed\nCrawl-delay: 10\nUser-agent: testbot\nCrawl-delay: {written}\n"
        );
        let pauses: Vec<Option<f64>> = RobotsFile::parse(text.as_bytes())
            .groups
            .iter()
            .map(|group| group.crawl_delay_seconds)
            .collect();
        assert_eq!(pauses, [Some(10.0), expected], "{written}");
    }
    let nobody = RobotsFile::parse(b"Crawl-delay: 5.2\nUser-Agent: testbot\nDisallow: /withUA\n");
    assert_eq!(nobody.groups[0].crawl_delay_seconds, None);
}

#[test]
fn wildcards_stand_for_any_text() {
    check(
        "User-agent: *\nDisallow: /admin/\nDisallow: /private/\nDisallow: /*.pdf\nDisallow: /tmp$\n",
        &[
            ("bot", "/docs/manual.pdf", false),
            ("bot", "/tmp", false),
            ("bot", "/admin/index.html", false),
            ("bot", "/docs/manual.txt", true),
            ("bot", "/tmp/file", true),
        ],
    );
    check(
        "User-agent: first\nDisallow: /disallowed/*/end$\nDisallow: /protego*work\n\nUser-agent: second\nAllow: /*allowed\nDisallow: /\n",
        &[
            ("first", "/disallowed", true),
            ("first", "/disallowed/xyz/end", false),
            ("first", "/disallowed/abc/end", false),
            ("first", "/disallowed/xyz/endinglater", true),
            ("first", "/protegoworks", false),
            ("first", "/protego_works", false),
            ("first", "/protego/works", false),
            ("first", "/protego_does_work", false),
            ("first", "/rotego_does_work", true),
            ("first", "/protego_does_wor", true),
            ("second", "/allowed", true),
            ("second", "/is_still_allowed", true),
            ("second", "/is_allowed_too", true),
        ],
    );
    check(
        "User-agent: Star\nDisallow:  /foo*\n\nUser-agent: Between\nDisallow:  /foo*/bar.html\n\nUser-agent: Letter\nDisallow:  *m\n\n\
         User-agent: Everything\nAllow:  /foo/bar.html\nDisallow: *\n\nUser-agent: Two\nDisallow:  /foo*/*bar.html\n\n\
         User-agent: End\nAllow:  /foo$\nDisallow:  /foo\n\nUser-agent: Many\nAllow: *****************/****.js\n",
        &[
            ("Star", "/fo.html", true),
            ("Star", "/foo.html", false),
            ("Star", "/food", false),
            ("Star", "/foo/bar.html", false),
            ("Between", "/fo.html", true),
            ("Between", "/foo/bar.html", false),
            ("Between", "/food/bar.html", false),
            ("Between", "/foo/a/b/c/x/y/z/bar.html", false),
            ("Between", "/food/xyz.html", true),
            ("Letter", "/foo.htm", false),
            ("Letter", "/foo.html", false),
            ("Letter", "/foo", true),
            ("Letter", "/foom", false),
            ("Letter", "/moo", false),
            ("Letter", "/foo/bar.html", false),
            ("Letter", "/foo/bar.txt", true),
            ("Everything", "/fo.html", false),
            ("Everything", "/foo.html", false),
            ("Everything", "/foo", false),
            ("Everything", "/foo/bar.html", true),
            ("Everything", "/foo/bar.txt", false),
            ("Two", "/foo/bar.html", false),
            ("Two", "/food/rebar.html", false),
            ("Two", "/food/rebarf.html", true),
            ("Two", "/foo/a/b/c/rebar.html", false),
            ("Two", "/foo/a/b/c/bar.html", false),
            ("End", "/foo", true),
            ("End", "/foo/", false),
            ("End", "/foo/bar.html", false),
            ("End", "/fooey", false),
            ("Many", "xyz/foo.js", true),
            ("Many", "/inlife/daily/fashion-20160727/", true),
        ],
    );
    check(
        "User-Agent: *\nDisallow: //folder/*\n",
        &[
            ("FooBot", "/", true),
            ("FooBot", "/folder", true),
            ("FooBot", "/folder/", true),
            ("FooBot", "/folder/page", true),
            ("FooBot", "//folder", true),
            ("FooBot", "//folder/page", false),
        ],
    );
}

#[test]
fn many_wildcards_take_no_time() {
    let pattern = Pattern::new(format!("/a/{}b", "*a".repeat(32)).as_bytes());
    assert!(!pattern.matches(&Target::new(&format!("/a/{}c", "a".repeat(32)))));
}

#[test]
fn a_dollar_ends_a_rule_at_its_end_alone() {
    check(
        "user-agent: FooBot\ndisallow: /x$/abc\ndisallow: /y/abc$\ndisallow: /x*x$/abc\ndisallow: /y*y/abc$\n",
        &[
            ("FooBot", "/x$/abcdef", false),
            ("FooBot", "/x%24/abcdef", false),
            ("FooBot", "/y/abcdef", true),
            ("FooBot", "/y/abc", false),
            ("FooBot", "/xabcx$/abcdef", false),
            ("FooBot", "/xabcx%24/abcdef", false),
            ("FooBot", "/yabcy/abc", false),
            ("FooBot", "/yabcy/abcdef", true),
        ],
    );
    check(
        "user-agent: FooBot\ndisallow: /x/abc%24\ndisallow: /x%2Ax/abc\n",
        &[
            ("FooBot", "/x/abc$abc", false),
            ("FooBot", "/x/abc$", false),
            ("FooBot", "/x/abc", true),
            ("FooBot", "/x*x/abc", false),
            ("FooBot", "/x*x/abcdef", false),
            ("FooBot", "/xabcx/abc", true),
        ],
    );
    check(
        "user-agent: FooBot\ndisallow: /x*x/abc\n",
        &[("FooBot", "/x*x/abc", false)],
    );
    check(
        "User-Agent: *\nAllow: /allowed-slash/index.html\nDisallow: /\n",
        &[("footbot", "/allowed-slash/$budget", false)],
    );
}

#[test]
fn letters_of_other_scripts_are_matched() {
    check(
        "User-Agent: *\nDisallow: /admin/\nDisallow: /static/\n# taken from https://en.wikipedia.org/robots.txt\n\
         Disallow: /wiki/K%C3%A4ytt%C3%A4j%C3%A4:\nDisallow: /wiki/K\u{e4}ytt\u{e4}j\u{e4}:\n\
         Disallow: /wiki/Keskustelu_k\u{e4}ytt\u{e4}j\u{e4}st\u{e4}:\nUser-Agent: Unic\u{f6}deB\u{f6}t\nDisallow: /some/randome/page.html",
        &[
            ("*", "/", true),
            ("*", "/admin/", false),
            ("*", "/static/", false),
            ("Unic\u{f6}deB\u{f6}t", "/admin/", true),
            ("*", "/wiki/K%C3%A4ytt%C3%A4j%C3%A4:", false),
            ("*", "/wiki/K\u{e4}ytt\u{e4}j\u{e4}:", false),
            ("*", "/wiki/Keskustelu_k%C3%A4ytt%C3%A4j%C3%A4st%C3%A4:", false),
            ("*", "/wiki/Keskustelu_k\u{e4}ytt\u{e4}j\u{e4}st\u{e4}:", false),
            ("*", "/some/randome/page.html", true),
            ("Unic\u{f6}deB\u{f6}t", "/some/randome/page.html", false),
        ],
    );
}

#[test]
fn rules_are_those_of_a_crawlers_own_group() {
    check(
        "Disallow: /withoutUA\nAllow: /withoutUA/exception\nCrawl-delay: 5.2\nUser-Agent: testbot\nDisallow: /withUA\n",
        &[
            ("mybot", "/withoutUA", true),
            ("testbot", "/withoutUA", true),
            ("*", "/withoutUA", true),
            ("mybot", "/withUA", true),
            ("testbot", "/withUA", false),
        ],
    );
    check(
        "User-Agent: robot\nDisallow: /ro-bot\n\nUser-Agent: *\nDisallow: /default-UA\n\nUser-Agent: testbot\nDisallow: /testbot\n",
        &[
            ("mybot", "/default-UA", false),
            ("testbot", "/default-UA", true),
            ("robot", "/default-UA", true),
            ("TESTbot", "/testbot", false),
            ("tEStbOt", "/testbot", false),
            ("tEStbOt", "/default-UA", true),
        ],
    );
    check(
        "User-Agent: one\nUser-Agent: two\nDisallow: /success\nUser-Agent: *\nDisallow: /failure\n",
        &[
            ("one", "/success", false),
            ("two", "/success", false),
            ("one", "/failure", true),
            ("two", "/failure", true),
        ],
    );
    check(
        "user-agent: hedwig-news\ndisallow: /\nallow: /group1\nuser-agent: *\ndisallow: /\nallow: /group2\n\
         user-agent: hedwig\ndisallow: /\nallow: /group3\n",
        &[
            ("hedwig-news", "/group1", true),
            ("hedwig-news", "/group2", false),
            ("hedwig-news2", "/group1", true),
            ("hedwi", "/group2", true),
            ("hedwi", "/group3", false),
            ("a", "/group2", true),
        ],
    );
    for (named, asked, speaks) in [
        ("bot", "mybot", false),
        ("google", "notgooglebot", false),
        ("googlebot", "googlebot", true),
        ("googlebot", "googlebot-news", true),
        ("foobot", "FOOBOT", true),
    ] {
        check(
            &format!("User-Agent: {named}\nDisallow: /private\n"),
            &[(asked, "/private", !speaks)],
        );
    }
}

#[test]
fn comments_and_lines_that_mean_nothing_are_passed_over() {
    check(
        "# comment 1\nUser-Agent: one # comment 2\n# comment 3\nUser-Agent: two\nDisallow: /one-two-bot\n# Disallow: /commented\n\
         # comment 4\nUser-Agent: *\nDisallow: /default-ua\n",
        &[
            ("one", "/one-two-bot", false),
            ("two", "/one-two-bot", false),
            ("one", "/commented", true),
            ("two", "/commented", true),
            ("one", "/default-ua", true),
            ("two", "/default-ua", true),
        ],
    );
    for nothing in ["Harry: Potter", "Harry Potter", ":", ": foo"] {
        check(
            &format!("User-Agent: one\nDisallow: /bot-one\n{nothing}\nUser-Agent: two\nDisallow: /bot-two\n"),
            &[
                ("one", "/bot-one", false),
                ("one", "/bot-two", true),
                ("two", "/bot-two", false),
                ("two", "/bot-one", true),
            ],
        );
    }
    check(
        "User-agent: *\nDisallow: /disallowed\nUser-agent must match exactly: see the docs\nAllow: /disallowed/exception\n",
        &[
            ("FooBot", "/disallowed", false),
            ("FooBot", "/disallowed/exception", true),
        ],
    );
    check("Foo: Foobot\nBar: /", &[("FooBot", "/x/y", true)]);
}

#[test]
fn what_is_empty_says_nothing() {
    check(
        "User-Agent: one\nDisallow:\n\nUser-Agent: two\nAllow:\n",
        &[
            ("one", "/path1", true),
            ("one", "/path2", true),
            ("two", "/path1", true),
            ("two", "/path2", true),
        ],
    );
    check(
        "User-Agent: one\nDisallow: ftp://site.local\n\nUser-Agent: two\nAllow: ftp://site.local\nDisallow: /\n",
        &[("one", "/path", true), ("two", "/path", false)],
    );
    check(
        "User-Agent: harrybot\nDisallow: /\nUser-Agent: testbot\n",
        &[("testbot", "/path1", true), ("harrybot", "/path1", false)],
    );
    check(
        "User-agent: *\nDisallow:    /\n\nUser-agent: foobot\nDisallow:\n",
        &[
            ("foobot", "/", true),
            ("foobot", "/bar.html", true),
            ("SomeOtherBot", "/", false),
            ("SomeOtherBot", "/blahblahblah", false),
        ],
    );
}

#[test]
fn a_line_that_names_nobody_begins_a_group_all_the_same() {
    check(
        "User-Agent: alpha\nDisallow: /x\nUser-Agent:\nUser-Agent: beta\nDisallow: /y\n",
        &[
            ("alpha", "/x", false),
            ("alpha", "/y", true),
            ("beta", "/x", true),
            ("beta", "/y", false),
        ],
    );
    check(
        "User-Agent: alpha\nDisallow: /x\nUser-Agent:\nDisallow: /y\n",
        &[("alpha", "/x", false), ("alpha", "/y", true)],
    );
    check(
        "User-Agent: alpha\nUser-Agent:\nUser-Agent: beta\nDisallow: /x\n",
        &[("alpha", "/x", false), ("beta", "/x", false)],
    );
}

#[test]
fn lines_of_the_whole_site_end_no_group() {
    let all = "User-Agent: one\nSitemap: https://site.local/sitemap.xml\nUser-Agent: two\nHost: www.site.local\nUser-Agent: three\n\
               Disallow: /disallowed\n";
    check(
        all,
        &[
            ("one", "/disallowed", false),
            ("two", "/disallowed", false),
            ("three", "/disallowed", false),
        ],
    );
    check(
        "User-Agent: one\nDisallow: /disallowed\nSitemap: https://site.local/sitemap.xml\nUser-Agent: two\nCrawl-delay: 5\n",
        &[("one", "/disallowed", false), ("two", "/disallowed", true)],
    );
    check(
        "Host: www.site.local\nUser-Agent: *\nDisallow: /disallowed\n",
        &[("FooBot", "/disallowed", false)],
    );
}

#[test]
fn the_examples_of_the_drafts_hold() {
    check(
        "User-agent: *\nDisallow: /cyberworld/map/ # This is an infinite virtual URL space\nDisallow: /tmp/ # these will soon disappear\n\
         Disallow: /foo.html\n",
        &[
            ("CrunchyFrogBot", "/", true),
            ("CrunchyFrogBot", "/foo.html", false),
            ("CrunchyFrogBot", "/foo.htm", true),
            ("CrunchyFrogBot", "/foo.shtml", true),
            ("CrunchyFrogBot", "/foo.htmlx", false),
            ("CrunchyFrogBot", "/cyberworld/index.html", true),
            ("CrunchyFrogBot", "/tmp/foo.html", false),
        ],
    );
    for (rule, path, expected) in [
        ("/tmp", "/tmp.html", true),
        ("/tmp", "/tmp", true),
        ("/tmp", "/tmp/a.html", true),
        ("/tmp/", "/tmp", false),
        ("/tmp/", "/tmp/", true),
        ("/tmp/", "/tmp/a.html", true),
        ("/a%2fb.html", "/a%2fb.html", true),
        ("/a%2fb.html", "/a/b.html", false),
        ("/a/b.html", "/a%2fb.html", false),
        ("/a/b.html", "/a/b.html", true),
        ("/%7ejoe/index.html", "/~joe/index.html", true),
        ("/~joe/index.html", "/%7Ejoe/index.html", true),
    ] {
        check(
            &format!("User-agent: bot\nAllow: {rule}\nDisallow: /\n"),
            &[("bot", path, expected)],
        );
    }
    let file = "User-agent: unhipbot\nDisallow: /\n\nUser-agent: webcrawler\nUser-agent: excite\nDisallow:\n\n\
                User-agent: *\nDisallow: /org/plans.html\nAllow: /org/\nAllow: /serv\nAllow: /~mak\nDisallow: /\n";
    for (path, others_may) in [
        ("/", false),
        ("/index.html", false),
        ("/server.html", true),
        ("/services/fast.html", true),
        ("/services/slow.html", true),
        ("/orgo.gif", false),
        ("/org/about.html", true),
        ("/org/plans.html", false),
        ("/%7Ejim/jim.html", false),
        ("/%7Emak/mak.html", true),
    ] {
        check(
            file,
            &[
                ("unhipbot", path, false),
                ("webcrawler", path, true),
                ("excite", path, true),
                ("OtherBot", path, others_may),
            ],
        );
    }
}

#[test]
fn the_file_itself_may_always_be_fetched() {
    check(
        "User-agent: *\nDisallow: /\n",
        &[
            ("foobot", "/robots.txt", true),
            ("foobot", "/a/robots.txt", false),
            ("foobot", "", false),
        ],
    );
}

#[test]
fn a_colon_may_be_missing() {
    check(
        "User-Agent FooBot\nDisallow /disallowed\nAllow /disallowed/exception\nCrawl-delay 5\n",
        &[
            ("FooBot", "/disallowed", false),
            ("FooBot", "/disallowed/exception", true),
            ("BarBot", "/disallowed", true),
        ],
    );
    check(
        "User-agent: *\nDisallow\t/disallowed",
        &[("FooBot", "/disallowed", false)],
    );
    let read = RobotsFile::parse(b"User-Agent FooBot\nCrawl-delay 5\n");
    assert_eq!(read.groups[0].crawl_delay_seconds, Some(5.0));
}

#[test]
fn lines_that_nothing_follows_from_are_told() {
    for line in [
        "Request-rate: 1/10s 1820-1940",
        "Request-rate: one/two",
        "Visit-time: 0400-0845",
        "Visit-time: abcd-efgh",
        "Host: www.site.local",
    ] {
        let read = RobotsFile::parse(format!("User-agent: *\n{line}\nDisallow: /d\n").as_bytes());
        let codes: Vec<IssueCode> = read.issues.iter().map(|issue| issue.code).collect();
        assert_eq!(codes, [IssueCode::UnsupportedDirective], "{line}");
        check(
            &format!("User-agent: *\n{line}\nDisallow: /d\n"),
            &[("*", "/d", false)],
        );
    }
}

/// File, crawler, path, what we say and by which text: Protego says the opposite of each.
const WE_DIFFER: &[(&str, &str, &str, bool, &str)] = &[
    // A `$` at the end of a rule ends it, and stands for no letter besides.
    (
        "user-agent: FooBot\ndisallow: /x/abc$\n",
        "FooBot",
        "/x/abc$",
        true,
        "RFC 9309, section 2.2.3",
    ),
    // A delimiter that is encoded is another.
    (
        "User-agent: *\nAllow: /*/filter/page=*/$\nDisallow: /\n",
        "*",
        "/1/filter/page%3D5/",
        false,
        "RFC 9309, section 2.2.2",
    ),
    // A path begins with a slash, or with a wildcard.
    (
        "user-agent: *\ndisallow: http://ms-web00.walkerplus.com/\n",
        "FooBot",
        "/http://ms-web00.walkerplus.com/",
        true,
        "RFC 9309, section 2.2",
    ),
    // A group speaks to the crawler whose whole token it names.
    (
        "User-Agent: google\nDisallow: /private\n",
        "googlebot-mobile",
        "/private",
        true,
        "RFC 9309, section 2.2.1",
    ),
    (
        "User-Agent: hedwig\nDisallow: /group2\n",
        "hedwig-images",
        "/group2",
        true,
        "RFC 9309, section 2.2.1",
    ),
    // A token is the letters, `_` and `-` that a name begins with.
    (
        "User-Agent: foobot\nDisallow: /private\n",
        "Mozilla/5.0 (compatible; Foobot/1.0)",
        "/private",
        true,
        "RFC 9309, section 2.2.1",
    ),
    (
        "user-agent: foo*bot\ndisallow: /myprofile\n",
        "foobot",
        "/myprofile",
        true,
        "RFC 9309, section 2.2.1",
    ),
    (
        "User-Agent: J\u{e4}vla-Foobot\nDisallow: /\n",
        "j\u{e4}vla-fanbot",
        "/foo/bar.html",
        false,
        "RFC 9309, section 2.2.1",
    ),
    // Lines with other keys do not part the crawlers of a group.
    (
        "User-agent: abc\nDisallow: /2/\nUser-agent: *\nInvalid_directive: /gb.html\nUser-agent: ia_archiver\nDisallow: /\n",
        "agent",
        "/foo",
        false,
        "Google's parser, ID_LineSyntax_Groups_OtherRules",
    ),
    // White space stands for the colon between two words only.
    (
        "user agent harry potter\ndisallow /horcrux\n",
        "harry potter",
        "/horcrux",
        true,
        "Google's parser, GetKeyAndValueFrom",
    ),
    (
        "User-Agent: alpha\nDisallow: /x\nuser agent\nDisallow: /y\n",
        "alpha",
        "/y",
        false,
        "Google's parser, GetKeyAndValueFrom",
    ),
];

#[test]
fn where_we_differ_a_text_decides() {
    for (file, agent, path, ours, why) in WE_DIFFER {
        let read = RobotsFile::parse(file.as_bytes());
        let decision = read.access(agent).decide(&Target::new(path));
        assert_eq!(decision.is_allowed, *ours, "{why}: {file}");
    }
    // The text before the first colon is the key, whatever it holds.
    let read = RobotsFile::parse(b"User-agent: *\nDisallow: /d\nSitemap https://site.local/sitemap.xml\n");
    assert!(read.sitemaps.is_empty());
    assert_eq!(read.issues[0].code, IssueCode::UnknownDirective);
}
