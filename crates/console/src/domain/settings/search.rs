//! The settings of search: how the brand is called, what is imported, and what analyses leave out.

use maud::{Markup, html};
use pharos_domain::{module::Module, settings::SettingFault};
use pharos_search::gsc::{
    config::{self, SearchSettings},
    figures::SearchType,
};
use serde_json::json;

use super::{
    Changed, action, changed,
    entries::{lines, tell},
    judged,
};
use crate::{
    console::Console,
    enter::AtDomain,
    form::Form,
    parts::form::{Faults, Field, SEEN, as_seen, state, tick},
    refusal::Refusal,
};

/// Stands before the names of the settings in those of the fields, since other forms of the page have settings of the same names.
const PREFIX: &str = "gsc_";

/// The form's fields as they are typed.
pub(super) struct Fields {
    /// The state of the settings that the form was filled from.
    seen: String,
    brand_terms: String,
    brand_regex: String,
    search_types: Vec<SearchType>,
    excluded_paths: String,
    min_impressions: String,
}

impl Fields {
    /// Those of the stored settings, or of those that a domain begins with.
    pub(super) async fn stored(console: &Console, here: &AtDomain) -> Result<Self, Refusal> {
        let stored = console.parts.search.configs.config(&here.access).await?;
        Ok(Self::of(stored.settings))
    }

    fn of(settings: SearchSettings) -> Self {
        let SearchSettings {
            brand_terms,
            brand_regex,
            search_types,
            excluded_paths,
            min_impressions,
        } = settings;
        let fields = Self {
            seen: String::new(),
            brand_terms: brand_terms.join("\n"),
            brand_regex: brand_regex.unwrap_or_default(),
            search_types,
            excluded_paths: excluded_paths.join("\n"),
            min_impressions: min_impressions.to_string(),
        };
        Self {
            seen: fields.state(),
            ..fields
        }
    }

    fn state(&self) -> String {
        let texts = [
            self.brand_terms.as_str(),
            &self.brand_regex,
            &self.excluded_paths,
            &self.min_impressions,
        ];
        state(
            texts
                .into_iter()
                .chain(self.search_types.iter().map(|kind| kind.as_str())),
        )
    }

    fn sent(form: &Form) -> Result<Self, Refusal> {
        // Boxes: no browser sends anything else.
        let search_types: Result<Vec<SearchType>, _> = form.all("gsc_search_types").map(str::parse).collect();
        Ok(Self {
            seen: form.one(SEEN).to_owned(),
            brand_terms: form.one("gsc_brand_terms").to_owned(),
            brand_regex: form.one("gsc_brand_regex").to_owned(),
            search_types: search_types.map_err(|_| Refusal::NoForm)?,
            excluded_paths: form.one("gsc_excluded_paths").to_owned(),
            min_impressions: form.one("gsc_min_impressions").trim().to_owned(),
        })
    }

    /// The settings that they ask for where these paths are `stored`, by the rules of the API, or all that is wrong with them.
    async fn settings(&self, stored: &[String]) -> Result<SearchSettings, Faults> {
        let mut faults = Faults::default();
        let min_impressions: Option<u32> = self.min_impressions.parse().ok();
        if min_impressions.is_none() {
            faults.add("gsc_min_impressions", "A whole number, such as 10.");
        }
        // It could not be stored.
        if self.brand_regex.contains('\0') {
            faults.add("gsc_brand_regex", "An expression without the character NUL.");
        }
        let settings = SearchSettings {
            brand_terms: lines(&self.brand_terms),
            brand_regex: Some(self.brand_regex.clone()).filter(|pattern| !pattern.is_empty()),
            search_types: self.search_types.clone(),
            excluded_paths: lines(&self.excluded_paths),
            min_impressions: min_impressions.unwrap_or_default(),
        };
        let expression = match &settings.brand_regex {
            Some(pattern) => config::judged(pattern.clone()).await,
            None => Ok(()),
        };
        match settings.checked(expression, stored) {
            Ok(settings) if faults.is_empty() => Ok(settings),
            Ok(_) => Err(faults),
            Err(found) => {
                tell(PREFIX, found, &mut faults);
                Err(faults)
            }
        }
    }
}

/// Changes the settings; gives the fields back with their faults where they have some.
pub(super) async fn submit(
    console: &Console,
    here: &AtDomain,
    sent: &Form,
) -> Result<Result<(), (Fields, Faults)>, Refusal> {
    let fields = Fields::sent(sent)?;
    let configs = &console.parts.search.configs;
    let stored = configs.config(&here.access).await?.settings.excluded_paths;
    let settings = match fields.settings(&stored).await {
        Ok(settings) => settings,
        Err(faults) => return Ok(Err((fields, faults))),
    };
    let change = |present: Option<&SearchSettings>| -> Result<SearchSettings, Vec<SettingFault>> {
        let present = present.cloned().unwrap_or_default();
        let stored = present.excluded_paths.clone();
        as_seen(&fields.seen, &Fields::of(present).seen)?;
        // The expression was judged above.
        settings.clone().checked(Ok(()), &stored)
    };
    let noted = changed(console, here, Module::Gsc, json!(settings));
    let (by, now) = (here.user.session.user, console.parts.clock.now());
    match judged(configs.update(&noted, &change, by, now).await)? {
        Changed::Done => Ok(Ok(())),
        Changed::Faulty(faults) => Ok(Err((fields, faults))),
    }
}

pub(super) fn section(here: &AtDomain, fields: &Fields, faults: &Faults) -> Markup {
    html! {
        section.card id="gsc" aria-labelledby="gsc-head" {
            h2 id="gsc-head" { "Search" }
            (faults.summary())
            form method="post" action=(action(here)) {
                (here.user.token_field())
                input type="hidden" name="do" value="gsc";
                input type="hidden" name=(SEEN) value=(fields.seen);
                (Field::new("gsc_brand_terms", "Words of the brand", &fields.brand_terms).optional().faults(faults)
                    .hint("One a line. A query with one of them anywhere in it is one for the brand.").area(3))
                (Field::new("gsc_brand_regex", "An expression for the brand", &fields.brand_regex).optional().max(1_000)
                    .faults(faults).hint("A regular expression in the syntax of RE2, such as sho+p ?example.").line())
                fieldset id="gsc_search_types" tabindex="-1" {
                    legend { "What is imported" }
                    p.hint { "What is added is imported from the next sync on; what is taken out stays as it was stored." }
                    @if let Some(fault) = faults.of("gsc_search_types") { p.wrong { (fault) } }
                    @for kind in SearchType::ALL {
                        (tick(&format!("gsc-{kind}"), "gsc_search_types", kind.as_str(), &html! { (name(*kind)) }, fields.search_types.contains(kind)))
                    }
                }
                (Field::new("gsc_excluded_paths", "Paths that analyses leave out", &fields.excluded_paths).optional().faults(faults)
                    .hint("One a line, such as /cart*; * stands for any text.").area(3))
                (Field::new("gsc_min_impressions", "Least impressions for analyses", &fields.min_impressions).max(7)
                    .faults(faults).hint("What was shown more seldom in 28 days is in none of the opportunities.").line())
                div.actions { button type="submit" { "Save search" } }
            }
        }
    }
}

fn name(kind: SearchType) -> &'static str {
    match kind {
        SearchType::Web => "Web search",
        SearchType::Discover => "Discover",
        SearchType::News => "The tab News of the search",
        SearchType::GoogleNews => "Google News",
        SearchType::Image => "Images",
        SearchType::Video => "Videos",
    }
}
