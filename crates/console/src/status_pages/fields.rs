//! The fields of a status page's form.

use maud::{Markup, html};
use pharos_account::domains::{Domain, Modules};
use pharos_domain::{hostname::Hostname, ids::DomainId, line::is_one_line, settings::SettingFault};
use pharos_uptime::status_page::{MOST_SITES, MalformedSlug, Slug, StatusPageError, StatusPageSettings};

use crate::{
    console::Console,
    enter::InWorkspace,
    form::Form,
    parts::form::{Faults, Field, SEEN, as_seen, at_fields, state, tick},
    refusal::Refusal,
    shown::shown,
};

/// The fields as they were sent, or are stored.
#[derive(Default)]
pub(super) struct Fields {
    /// The state of the page that the form was filled from.
    seen: String,
    title: String,
    slug: String,
    domains: Vec<String>,
    /// The names of further sites, one a line.
    more: String,
}

impl Fields {
    /// Those of a stored page.
    pub(super) fn stored(settings: &StatusPageSettings) -> Self {
        let domains: Vec<String> = settings.domains.iter().map(ToString::to_string).collect();
        let texts = [settings.title.as_str(), settings.slug.as_str()];
        Self {
            seen: state(texts.into_iter().chain(domains.iter().map(String::as_str))),
            title: settings.title.clone(),
            slug: settings.slug.as_str().to_owned(),
            domains,
            more: String::new(),
        }
    }

    /// Says so where the form was filled from another state of the page than it has at the time of the change.
    pub(super) fn as_seen(&self, present: &StatusPageSettings) -> Result<(), Vec<SettingFault>> {
        as_seen(&self.seen, &Self::stored(present).seen)
    }

    /// Those of a form.
    pub(super) fn sent(form: &Form) -> Self {
        Self {
            seen: form.one(SEEN).to_owned(),
            title: form.one("title").trim().to_owned(),
            slug: form.one("slug").trim().to_ascii_lowercase(),
            domains: form.all("domain").map(str::to_owned).collect(),
            more: form.one("more").to_owned(),
        }
    }

    /// The settings that they ask for, or what is wrong with them. A site that is not among `kept`, which stand on the page already,
    /// has to be verified: everybody would take what the page says for the word of the site's owner.
    pub(super) async fn judged(
        &self,
        console: &Console,
        here: &InWorkspace,
        kept: &[DomainId],
    ) -> Result<Result<StatusPageSettings, Faults>, Refusal> {
        let reach = std::slice::from_ref(&here.access);
        let domains = console.parts.sites.list(reach, Modules::LeftOut).await?;
        let settings = match self.settings(&domains) {
            Ok(settings) => settings,
            Err(faults) => return Ok(Err(faults)),
        };
        let is_new = |id: &DomainId| settings.domains.contains(id) && !kept.contains(id);
        let unverified: Vec<&str> = domains
            .iter()
            .filter(|domain| !domain.verified && is_new(&domain.id))
            .map(|domain| domain.hostname.as_str())
            .collect();
        if unverified.is_empty() {
            return Ok(Ok(settings));
        }
        let mut faults = Faults::default();
        faults.add("domains", unproven(&unverified));
        Ok(Err(faults))
    }

    /// The settings that they ask for, of the workspace with these domains, or what is wrong with them alone.
    fn settings(&self, all: &[Domain]) -> Result<StatusPageSettings, Faults> {
        let mut faults = Faults::default();
        if !(1..=100).contains(&self.title.chars().count()) || !is_one_line(&self.title) {
            faults.add(
                "title",
                "The title has 1 to 100 characters in one line, none of them hidden.",
            );
        }
        let slug: Result<Slug, MalformedSlug> = self.slug.parse();
        if slug.is_err() {
            faults.add(
                "slug",
                "The address has 3 to 63 lower-case letters, digits and hyphens, such as shop-status.",
            );
        }
        let domains: Result<Vec<DomainId>, _> = self.domains.iter().map(|id| id.parse()).collect();
        let mut domains = domains.unwrap_or_default();
        for line in self.further() {
            match called(all, line) {
                Some(domain) if domains.contains(&domain.id) => {}
                Some(domain) => domains.push(domain.id),
                None => faults.add(
                    "more",
                    format!("No site of this workspace is called {}.", shown(line)),
                ),
            }
        }
        if domains.is_empty() || domains.len() > MOST_SITES {
            faults.add("domains", format!("Choose 1 to {MOST_SITES} sites."));
        }
        match slug {
            Ok(slug) if faults.is_empty() => Ok(StatusPageSettings {
                slug,
                title: self.title.clone(),
                domains,
            }),
            _ => Err(faults),
        }
    }

    /// The names of further sites, as many as a page can show.
    fn further(&self) -> impl Iterator<Item = &str> {
        let lines = self.more.lines().map(str::trim);
        lines.filter(|line| !line.is_empty()).take(MOST_SITES)
    }

    /// The fields, with the workspace's domains to choose from. Where there are many, those that are not chosen are named instead,
    /// so that the page stays small.
    pub(super) async fn show(
        &self,
        console: &Console,
        here: &InWorkspace,
        faults: &Faults,
    ) -> Result<Markup, Refusal> {
        let reach = std::slice::from_ref(&here.access);
        let mut domains = console.parts.sites.list(reach, Modules::LeftOut).await?;
        domains.sort_by_key(|domain| name(domain).to_lowercase());
        let chosen: std::collections::HashSet<&str> = self.domains.iter().map(String::as_str).collect();
        let is_long = domains.len() > MOST_SITES;
        let ticked = domains.iter().map(|domain| (domain, domain.id.to_string()));
        let ticked = ticked.filter(|(_, id)| !is_long || chosen.contains(id.as_str()));
        Ok(html! {
            (faults.summary())
            input type="hidden" name=(SEEN) value=(self.seen);
            (Field::new("title", "Title", &self.title).max(100).faults(faults).line())
            (Field::new("slug", "Address", &self.slug).max(63).faults(faults).placeholder("shop-status")
                .hint("The last part of the page’s address, /status/…").line())
            fieldset id="domains" tabindex="-1" {
                legend { "Sites" }
                p.hint { "Everybody sees the names and the states of those that are ticked. A site can be shown once it is verified." }
                @if let Some(fault) = faults.of("domains") { p.wrong { (fault) } }
                @if domains.is_empty() { p { "This workspace has no domain yet." } }
                div.many {
                    @for (domain, id) in ticked.take(MOST_SITES) {
                        (tick(&format!("domain-{id}"), "domain", &id, &label(domain), chosen.contains(id.as_str())))
                    }
                }
                @if is_long {
                    (Field::new("more", "Further sites", &self.more).optional().faults(faults)
                        .hint("By their names, one a line, such as shop.example.").area(4))
                }
            }
        })
    }
}

/// The domain that people call so: by its hostname, in whatever script, or by the name that they gave it.
fn called<'a>(all: &'a [Domain], name: &str) -> Option<&'a Domain> {
    let hostname: Option<Hostname> = name.parse().ok();
    all.iter().find(|domain| {
        hostname.as_ref() == Some(&domain.hostname) || domain.display_name.as_deref() == Some(name)
    })
}

fn label(domain: &Domain) -> Markup {
    html! {
        bdi { (shown(name(domain))) }
        @if !domain.verified { span.note { " not verified" } }
    }
}

/// How many names of sites a fault has.
const MOST_NAMED: usize = 5;

/// Why sites of these names can't be shown.
fn unproven(hostnames: &[&str]) -> String {
    let named = hostnames[..hostnames.len().min(MOST_NAMED)].join(", ");
    let more = match hostnames.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "Not verified: {named}{more}. Show in the settings of the domain that it is yours; then everybody may see it here."
    )
}

fn name(domain: &Domain) -> &str {
    let given = domain.display_name.as_deref();
    given.unwrap_or(domain.hostname.as_str())
}

/// The form's faults behind a failure to store; any other failure refuses the page.
pub(super) fn faults_of(error: StatusPageError) -> Result<Faults, Refusal> {
    let field = match &error {
        StatusPageError::Taken => "slug",
        StatusPageError::NoSuchDomain => "domains",
        StatusPageError::TooMany => "title",
        StatusPageError::NotFound => return Err(Refusal::NoPage),
        StatusPageError::Faults(_) | StatusPageError::Store(_) => "",
    };
    let mut faults = Faults::default();
    match error {
        StatusPageError::Store(error) => return Err(error.into()),
        StatusPageError::Faults(found) => {
            for (field, why) in at_fields(found) {
                faults.add(field, why);
            }
        }
        error => faults.add(field, error.to_string()),
    }
    Ok(faults)
}
