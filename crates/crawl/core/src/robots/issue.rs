//! Findings of a robots.txt, line by line.

names! {
    /// How much a finding matters.
    IssueSeverity as "CrawlIssueSeverity" {
        /// Worth knowing.
        Info = "info",
        /// Probably not what was meant.
        Warning = "warning",
        /// Something is not read as it is written, or not at all.
        Error = "error",
    }
}

codes! {
    /// The subject of a finding.
    IssueCode as "RobotsIssueCode" {
        /// A key and a value have white space between them where a colon belongs.
        MissingColon = "missing_colon", Warning;
        /// A line that no crawler understands.
        UnknownDirective = "unknown_directive", Warning;
        /// A misspelled key, which Google's parser takes all the same.
        DirectiveTypo = "directive_typo", Warning;
        /// A rule that belongs to no group.
        RuleBeforeUserAgent = "rule_before_user_agent", Error;
        /// A line of which only the beginning is read.
        LineTooLong = "line_too_long", Error;
        /// A file of which only the beginning is read.
        FileTooLarge = "file_too_large", Error;
        /// A line that is not UTF-8.
        NotUtf8 = "not_utf8", Error;
        /// A mark of the byte order at the beginning.
        BomPresent = "bom_present", Info;
        /// A page in place of the file.
        HtmlContent = "html_content", Error;
        /// A file that says nothing.
        EmptyFile = "empty_file", Warning;
        /// The address of a sitemap that lacks scheme and host.
        RelativeSitemapUrl = "relative_sitemap_url", Error;
        /// A sitemap that can't be fetched.
        SitemapUnreachable = "sitemap_unreachable", Error;
        /// A sitemap on another host.
        SitemapOffHost = "sitemap_off_host", Info;
        /// A key that some crawlers know and RFC 9309 does not.
        UnsupportedDirective = "unsupported_directive", Info;
        /// A rule that stands twice in its group.
        DuplicateRule = "duplicate_rule", Info;
        /// A second group of the same crawler.
        DuplicateGroup = "duplicate_group", Info;
        /// A path that begins with neither `/` nor `*`.
        PathNotAbsolute = "path_not_absolute", Warning;
        /// A URL where a path belongs.
        FullUrlInPath = "full_url_in_path", Error;
        /// A rule that keeps all crawlers from everything.
        BlocksRoot = "blocks_root", Warning;
        /// A rule that keeps crawlers from stylesheets or scripts, so that they can't see the page as visitors do.
        BlocksCssJs = "blocks_css_js", Warning;
        /// Two paths that differ in case only.
        CaseMismatchSuspect = "case_mismatch_suspect", Info;
        /// A media type that is not text.
        WrongContentType = "wrong_content_type", Warning;
        /// More than one redirect on the way to the file.
        RedirectChain = "redirect_chain", Warning;
        /// A delay that Google ignores.
        CrawlDelayIgnored = "crawl_delay_ignored", Info;
    }
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "monitoring", derive(serde::Serialize, serde::Deserialize))]
pub struct Issue {
    /// The kind of fault.
    pub code: IssueCode,
    /// The line; `None` where it is about the file.
    pub line: Option<u32>,
    /// The first 200 characters of that line.
    pub excerpt: Option<String>,
    /// The fault and its remedy, in a sentence or two.
    pub message: String,
}

/// How many characters of a line an excerpt shows.
const EXCERPT_CHARACTERS: usize = 200;

impl Issue {
    pub(crate) fn of_file(code: IssueCode, message: impl Into<String>) -> Self {
        Self {
            code,
            line: None,
            excerpt: None,
            message: message.into(),
        }
    }

    pub(crate) fn of_line(code: IssueCode, line: u32, text: &[u8], message: impl Into<String>) -> Self {
        let text = String::from_utf8_lossy(text);
        Self {
            code,
            line: Some(line),
            excerpt: Some(excerpt(&text)),
            message: message.into(),
        }
    }
}

/// The beginning of a text. A NUL, which stores take for an end, is shown as a character that can't be read.
pub(super) fn excerpt(text: &str) -> String {
    let shown = |c| if c == '\0' { '\u{fffd}' } else { c };
    text.chars().take(EXCERPT_CHARACTERS).map(shown).collect()
}
