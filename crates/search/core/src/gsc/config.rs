//! The settings of a domain's search: brand, search types, excluded paths and least impressions.

use std::{
    collections::HashSet,
    fmt,
    sync::{Arc, LazyLock, OnceLock},
    time::Duration,
};

use async_trait::async_trait;
use moka::sync::Cache;
use pharos_domain::{
    collect::path_pattern,
    credits::Charged,
    identity::DomainAccess,
    ids::UserId,
    settings::{ChangeError, Faults, SettingFault, SettingsChange},
    store::StoreError,
};
use regex::Regex;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use url::Url;

use super::{
    expression::{compiled, kept},
    figures::SearchType,
    judging::{Budget, Judge},
};

/// The most entries of a list.
pub const MOST_ENTRIES: usize = 100;
/// The most characters of an entry of a list.
pub const MOST_OF_ENTRY: usize = 200;
/// The most characters of a regular expression.
pub const MOST_OF_REGEX: usize = 1_000;
/// The most that `min_impressions` may be.
pub const MOST_IMPRESSIONS: u32 = 1_000_000;
/// How long queries may be checked against what the settings say of the brand, for one answer.
pub const BRANDING: Duration = Duration::from_secs(3);

/// How many brands' expressions are kept compiled, of some MiB each, and for how long after they were last asked.
const KEPT: u64 = 32;
const KEPT_FOR: Duration = Duration::from_mins(10);

/// Expressions as they are compiled, so that not each answer does it again.
static COMPILED: LazyLock<Cache<String, Regex>> =
    LazyLock::new(|| Cache::builder().max_capacity(KEPT).time_to_idle(KEPT_FOR).build());

/// The settings of a domain's search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchSettings {
    /// Texts that make a query one for the brand, wherever they stand in it, in upper or lower case.
    pub brand_terms: Vec<String>,
    /// A regular expression that finds the brand in a query.
    pub brand_regex: Option<String>,
    /// The search types that are imported.
    pub search_types: Vec<SearchType>,
    /// Paths of pages that analyses leave out; `*` stands for any text.
    pub excluded_paths: Vec<String>,
    /// How many impressions a query or page needs before opportunities, CTR gaps and cannibalization look at it.
    pub min_impressions: u32,
}

impl Default for SearchSettings {
    /// The settings of a domain without stored ones.
    fn default() -> Self {
        Self {
            brand_terms: Vec::new(),
            brand_regex: None,
            search_types: SearchType::ALL.to_vec(),
            excluded_paths: Vec::new(),
            min_impressions: 10,
        }
    }
}

impl SearchSettings {
    /// Checks them, trims terms, and removes repetitions. Whether the expression is one was judged before: [`judged`]. Paths that
    /// are among those that are `stored` are not judged: they were taken by whatever rules there were.
    ///
    /// # Errors
    /// All faults, each with the pointer of its member.
    pub fn checked(
        mut self,
        expression: Result<(), String>,
        stored: &[String],
    ) -> Result<Self, Vec<SettingFault>> {
        let mut faults = Faults::default();
        list(&mut faults, "brand_terms", &self.brand_terms, is_term, TERM);
        if let Err(fault) = expression {
            faults.add("brand_regex", fault);
        }
        if self.search_types.is_empty() {
            faults.add("search_types", "at least one search type");
        }
        let is_taken = |path: &str| is_path(path) || stored.iter().any(|one| one == path);
        list(
            &mut faults,
            "excluded_paths",
            &self.excluded_paths,
            is_taken,
            PATH,
        );
        faults.in_range("min_impressions", self.min_impressions, 0..=MOST_IMPRESSIONS);
        self.search_types.sort_unstable();
        self.search_types.dedup();
        for term in &mut self.brand_terms {
            *term = term.trim().to_owned();
        }
        // They are found in whatever case.
        let mut seen = HashSet::new();
        self.brand_terms.retain(|term| seen.insert(term.to_lowercase()));
        seen.clear();
        self.excluded_paths.retain(|path| seen.insert(path.clone()));
        faults.or(|| self)
    }
}

const TERM: &str = "a text of 1 to 200 characters that is not blank";
const PATH: &str = "a path that begins with a slash, 1 to 200 characters, without ? and #: a page is excluded by its path alone";

fn list(
    faults: &mut Faults,
    member: &str,
    entries: &[String],
    is_sound: impl Fn(&str) -> bool,
    should: &str,
) {
    if entries.len() > MOST_ENTRIES {
        faults.add(member, format!("at most {MOST_ENTRIES} entries"));
    }
    faults.within(member, |faults| {
        for (place, entry) in entries.iter().enumerate() {
            if !is_sound(entry) {
                faults.add(place, should);
            }
        }
    });
}

fn is_short(text: &str) -> bool {
    (1..=MOST_OF_ENTRY).contains(&text.chars().count()) && !text.chars().any(char::is_control)
}

fn is_term(text: &str) -> bool {
    is_short(text) && !text.trim().is_empty()
}

fn is_path(text: &str) -> bool {
    // A path has no query and no fragment, so that neither could ever fit.
    is_short(text) && text.starts_with('/') && !text.contains(['?', '#'])
}

/// Judges an expression that is to find the brand, in a turn of its own.
///
/// # Errors
/// The fault in words, for whoever wrote it.
pub async fn judged(pattern: String) -> Result<(), String> {
    let mut budget = Budget::new(BRANDING);
    let compiled = budget.spent(move || expression(&pattern).map(drop)).await;
    compiled.map_err(|costly| costly.to_string())?
}

/// Compiles a regular expression that searches without case, in time that is linear in the text, as RE2 does.
fn expression(pattern: &str) -> Result<Regex, String> {
    if pattern.is_empty() || pattern.chars().count() > MOST_OF_REGEX {
        return Err(format!(
            "not a regular expression of 1 to {MOST_OF_REGEX} characters"
        ));
    }
    compiled(pattern, true)
}

/// Whether a pattern matches a whole path. `*` stands for any text. It matches as little as possible, which finds a match
/// wherever there is one, in time that is linear in the path for each part of the pattern.
fn covers(pattern: &str, path: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut left) = path.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        // There is no `*`.
        return left.is_empty();
    };
    for part in parts {
        let Some(at) = left.find(part) else {
            return false;
        };
        left = &left[at + part.len()..];
    }
    left.ends_with(last)
}

/// Tells queries for the brand from the others.
#[derive(Clone, Debug, Default)]
pub struct Brand {
    /// In lower case.
    terms: Vec<String>,
    pattern: Option<String>,
    /// `None` inside: it can't be compiled. Whoever asks first compiles it, in a turn of its budget.
    regex: OnceLock<Option<Regex>>,
}

impl Brand {
    fn of(settings: &SearchSettings) -> Self {
        Self {
            terms: settings
                .brand_terms
                .iter()
                .map(|term| term.to_lowercase())
                .collect(),
            pattern: settings.brand_regex.clone(),
            regex: OnceLock::new(),
        }
    }

    fn regex(&self) -> Option<&Regex> {
        let pattern = self.pattern.as_deref()?;
        let regex = self.regex.get_or_init(|| {
            let compiled = COMPILED.try_get_with_by_ref(pattern, || kept(pattern, true));
            // It was judged when it was stored, perhaps by another version.
            compiled
                .inspect_err(
                    |why| tracing::error!(%why, "the expression of a brand finds nothing; it is not one"),
                )
                .ok()
        });
        regex.as_ref()
    }

    /// Whether anything says how the brand is called.
    #[must_use]
    pub fn is_configured(&self) -> bool {
        !self.terms.is_empty() || self.pattern.is_some()
    }

    /// Whether somebody searched for the brand.
    fn is_in(&self, query: &str) -> bool {
        if self.regex().is_some_and(|regex| regex.is_match(query)) {
            return true;
        }
        let query = query.to_lowercase();
        self.terms.iter().any(|term| query.contains(term.as_str()))
    }
}

impl Judge for Brand {
    fn fits(&self, text: &str) -> bool {
        self.is_in(text)
    }
}

/// The settings of a domain's search, compiled, with when they last changed.
#[derive(Clone)]
pub struct SearchConfig {
    /// The settings that are in force.
    pub settings: SearchSettings,
    /// When they last changed; `None`: never.
    pub updated_at: Option<OffsetDateTime>,
    /// The user who changed them.
    pub updated_by: Option<UserId>,
    brand: Arc<Brand>,
}

impl fmt::Debug for SearchConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchConfig")
            .field("settings", &self.settings)
            .field("updated_at", &self.updated_at)
            .field("updated_by", &self.updated_by)
            .finish_non_exhaustive()
    }
}

impl SearchConfig {
    /// The settings of a domain without stored ones.
    #[must_use]
    pub fn unsaid() -> Self {
        Self {
            settings: SearchSettings::default(),
            updated_at: None,
            updated_by: None,
            brand: Arc::default(),
        }
    }

    /// Settings that were checked when they were stored. Nothing is compiled before a query is held against them.
    #[must_use]
    pub fn stored(settings: SearchSettings, updated_at: OffsetDateTime, updated_by: Option<UserId>) -> Self {
        let brand = Brand::of(&settings);
        Self {
            settings,
            updated_at: Some(updated_at),
            updated_by,
            brand: Arc::new(brand),
        }
    }

    /// The rules that recognise queries for the brand.
    #[must_use]
    pub const fn brand(&self) -> &Arc<Brand> {
        &self.brand
    }

    /// Whether each query is a search for the brand; `None`: no settings name the brand.
    ///
    /// # Errors
    /// [`StoreError::TooLong`]: the expression takes too long.
    pub async fn are_branded<'a>(
        &self,
        queries: impl Iterator<Item = &'a str>,
    ) -> Result<Vec<Option<bool>>, StoreError> {
        let queries: Vec<(usize, String)> = queries.map(str::to_owned).enumerate().collect();
        if !self.brand.is_configured() {
            return Ok(vec![None; queries.len()]);
        }
        let mut branded = vec![Some(false); queries.len()];
        for place in Budget::new(BRANDING).fitting(queries, &self.brand).await? {
            branded[place] = Some(true);
        }
        Ok(branded)
    }

    /// Whether analyses leave a page out. A pattern stands for the whole path; a pattern that also covers deeper paths ends in
    /// `*`.
    #[must_use]
    pub fn is_excluded(&self, page: &str) -> bool {
        let patterns = &self.settings.excluded_paths;
        let covers_page = |pattern: &String, page: &Url| covers(&path_pattern(pattern), page.path());
        let is_covered = |page: Url| patterns.iter().any(|pattern| covers_page(pattern, &page));
        !patterns.is_empty() && Url::parse(page).is_ok_and(is_covered)
    }
}

/// Keeps the settings of domains.
#[async_trait]
pub trait ConfigStore: Send + Sync {
    /// The settings of a domain, or the default ones if it has none.
    async fn config(&self, domain: &DomainAccess) -> Result<SearchConfig, StoreError>;

    /// Changes them. `change` makes the new settings from the present ones, and may be called again.
    ///
    /// # Errors
    /// The faults that `change` finds; then nothing has changed.
    async fn update(
        &self,
        domain: &Charged<DomainAccess>,
        change: &SettingsChange<'_, SearchSettings>,
        by: UserId,
        now: OffsetDateTime,
    ) -> Result<SearchConfig, ChangeError>;
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    fn stored(settings: SearchSettings) -> SearchConfig {
        let settings = settings.checked(Ok(()), &[]).unwrap();
        SearchConfig::stored(settings, datetime!(2026-03-12 14:02 UTC), None)
    }

    /// Whoever reads the settings waits for no expression.
    #[tokio::test]
    async fn an_expression_is_compiled_with_the_first_query_and_once_for_all_answers() {
        let with = |regex: &str| {
            stored(SearchSettings {
                brand_regex: Some(regex.to_owned()),
                ..SearchSettings::default()
            })
        };
        let config = with("once for all|answers");
        assert!(config.brand().is_configured() && config.brand().regex.get().is_none());
        assert!(!COMPILED.contains_key("once for all|answers"));
        let branded =
            async |config: &SearchConfig| config.are_branded(["ANSWERS"].into_iter()).await.unwrap();
        assert_eq!(branded(&config).await, [Some(true)]);
        assert!(COMPILED.contains_key("once for all|answers"));
        // One that another version took finds nothing, and keeps nobody from the settings.
        let broken = with("(answers");
        assert!(broken.brand().is_configured());
        assert_eq!(branded(&broken).await, [Some(false)]);
    }

    #[tokio::test]
    async fn the_brand_is_found_by_term_or_expression_without_case() {
        let unsaid = SearchConfig::unsaid();
        assert_eq!(unsaid.are_branded(["ada"].into_iter()).await.unwrap(), [None]);
        let config = stored(SearchSettings {
            brand_terms: vec!["Ada".to_owned(), "ÉTÉ".to_owned()],
            brand_regex: Some("love ?lace|^bb$".to_owned()),
            ..SearchSettings::default()
        });
        let table = [
            ("ADA shoes", true),
            ("canada", true),
            ("un été", true),
            ("LoveLace", true),
            ("bb", true),
            ("abba", false),
            ("", false),
        ];
        let branded = config.are_branded(table.iter().map(|(query, _)| *query)).await;
        for ((query, want), branded) in table.iter().zip(branded.unwrap()) {
            assert_eq!(branded, Some(*want), "{query}");
        }
    }

    #[test]
    fn an_excluded_path_is_the_whole_path_unless_a_star_ends_it() {
        let config = stored(SearchSettings {
            excluded_paths: ["/cart", "/*/print.*", "/süße sachen*"]
                .map(str::to_owned)
                .to_vec(),
            ..SearchSettings::default()
        });
        for (page, want) in [
            ("https://ada.example/s%C3%BC%C3%9Fe%20sachen/1", true),
            ("https://ada.example/süße sachen", true),
            ("https://ada.example/cart", true),
            ("https://ada.example/cart?step=2", true),
            ("https://ada.example/cart/2", false),
            ("https://ada.example/p/print.html", true),
            ("https://ada.example/p/printXhtml", false),
            ("no page", false),
        ] {
            assert_eq!(config.is_excluded(page), want, "{page}");
        }
        assert!(!SearchConfig::unsaid().is_excluded("https://ada.example/"));
        for (pattern, path, want) in [
            ("/a*a", "/a", false),
            ("/a*a", "/aa", true),
            ("/*b*b", "/ab", false),
            ("/*b*b", "/abcb", true),
            ("/**", "/", true),
            ("/*.", "/a.b.", true),
            ("/*.", "/a.b", false),
        ] {
            assert_eq!(covers(pattern, path), want, "{pattern} {path}");
        }
        // 195 parts of which none is the last letter.
        assert!(!covers(
            &format!("/{}c", "*a".repeat(195)),
            &format!("/{}", "a".repeat(2_000))
        ));
    }

    #[test]
    fn what_stands_twice_is_kept_once() {
        let texts = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let settings = SearchSettings {
            brand_terms: texts(&["demo", "demo", " Ada ", "DEMO", "ada", "ÉTÉ", "été"]),
            excluded_paths: texts(&["/cart", "/Cart", "/cart"]),
            search_types: vec![SearchType::News, SearchType::Web, SearchType::News],
            ..SearchSettings::default()
        };
        let checked = settings.checked(Ok(()), &[]).unwrap();
        assert_eq!(checked.brand_terms, ["demo", "Ada", "ÉTÉ"]);
        assert_eq!(checked.excluded_paths, ["/cart", "/Cart"]);
        assert_eq!(checked.search_types, [SearchType::Web, SearchType::News]);
    }

    /// A path that was taken before such paths were refused keeps nobody from changing the rest.
    #[test]
    fn paths_are_judged_when_they_are_new() {
        let settings = SearchSettings {
            excluded_paths: vec!["/a?b".to_owned(), "/shoes#sizes".to_owned()],
            ..SearchSettings::default()
        };
        let kept = settings
            .clone()
            .checked(Ok(()), &settings.excluded_paths)
            .unwrap();
        assert_eq!(kept.excluded_paths, settings.excluded_paths);
        let faults = settings
            .clone()
            .checked(Ok(()), &settings.excluded_paths[..1])
            .unwrap_err();
        let pointers: Vec<_> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
        assert_eq!(pointers, ["/excluded_paths/1"]);
        assert_eq!(settings.checked(Ok(()), &[]).unwrap_err().len(), 2);
    }

    #[tokio::test]
    async fn every_fault_is_named() {
        let of_regex = async |regex: &str| {
            let settings = SearchSettings {
                brand_regex: Some(regex.to_owned()),
                ..SearchSettings::default()
            };
            settings.checked(judged(regex.to_owned()).await, &[])
        };
        assert!(of_regex("a(da)?").await.is_ok());
        for regex in [
            "(?=ada)",
            r"(a)\1",
            "(",
            "",
            "a{1000}{1000}",
            &"a".repeat(1_001),
            r"[\w&&a]",
            &r"[\w-]".repeat(17),
        ] {
            let faults = of_regex(regex).await.unwrap_err();
            assert_eq!(faults[0].pointer, "/brand_regex", "{regex}");
        }
        // A pattern that was stored before it was to be escaped so.
        let settings = SearchSettings {
            brand_regex: Some("[a[d]]a".to_owned()),
            ..SearchSettings::default()
        };
        let stored = SearchConfig::stored(settings, datetime!(2026-03-12 14:02 UTC), None);
        assert!(stored.brand().fits("ada") && judged("[a[d]]a".to_owned()).await.is_err());
        let faults = of_regex("(?=ada)").await.unwrap_err();
        assert!(faults[0].detail.contains("look-around"), "{}", faults[0].detail);
        let faults = SearchSettings {
            brand_terms: vec!["ada".to_owned(), " ".to_owned()],
            search_types: Vec::new(),
            excluded_paths: ["cart", "/cart", "/a?b", "/shoes#sizes", "/p/*?shade=4"]
                .map(str::to_owned)
                .to_vec(),
            min_impressions: MOST_IMPRESSIONS + 1,
            ..SearchSettings::default()
        }
        .checked(Ok(()), &[])
        .unwrap_err();
        let pointers: Vec<_> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
        assert_eq!(
            pointers,
            [
                "/brand_terms/1",
                "/search_types",
                "/excluded_paths/0",
                "/excluded_paths/2",
                "/excluded_paths/3",
                "/excluded_paths/4",
                "/min_impressions"
            ]
        );
        assert!(SearchSettings::default().checked(Ok(()), &[]).is_ok());
    }
}
