//! A page that is to be tested, or tested otherwise.

use std::str::FromStr;

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_domain::{
    ids::SyntheticUrlId,
    module::Module,
    settings::{ChangeError, Faults as Judge},
};
use pharos_synthetic::{
    page::{self, Category, MOST_PATTERNS, PageSettings, RUNS_PER_TEST, Schedule, TrackedPage},
    profile::PROFILES,
    store::{ChangedPage, NewPage, SealedSecrets},
};
use serde_json::json;

use super::{CHANGERS, every, name_of, noting, outdate, path, there};
use crate::{
    console::Console,
    domain::{
        frame, named,
        settings::{Changed, judged},
    },
    enter::AtDomain,
    form::Form,
    page::go,
    parts::form::{Faults, Field, SEEN, as_seen, tick},
    refusal::Refusal,
    repeated,
    shown::shown,
};

/// The days of the week, Monday first.
const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// GET /console/domains/{domain_id}/synthetic/settings/pages/new
pub(crate) async fn ask_new(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.at_domain(&request, &id, CHANGERS).await?;
    here.needs(Module::Synthetic)?;
    let first = format!("https://{}/", here.access.domain().hostname);
    let typed = Typed::of(&PageSettings::of(first));
    form_of_new(&console, &here, &typed, &Faults::default()).await
}

/// POST /console/domains/{domain_id}/synthetic/settings/pages/new
pub(crate) async fn submit_new(
    request: HttpRequest,
    payload: web::Payload,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let here = console
        .changer(&request, &id, (CHANGERS, Module::Synthetic), &sent)
        .await?;
    here.writable()?;
    let (digest, parts) = (sent.digest(&request, &here.user.secret), console.clone());
    let work = async move { create(&parts, &here, &sent).await };
    console.repeated.answer(digest, work).await
}

async fn create(console: &Console, here: &AtDomain, sent: &Form) -> Result<HttpResponse, Refusal> {
    let typed = Typed::sent(sent);
    let settings = typed.settings()?;
    let mut judge = Judge::default();
    let url = page::url("url", &typed.url, &here.access.domain().hostname, &mut judge);
    settings.check(&mut judge);
    let tracked = match judge.or(|| url.unwrap_or_default()) {
        Ok(url) => track(console, here, PageSettings { url, ..settings }).await,
        Err(found) => Err(ChangeError::Faults(found)),
    };
    let outcome = match tracked {
        Err(ChangeError::Quota(full)) => {
            let mut faults = Faults::default();
            let why = format!(
                "The plan has no room for another page ({} of {} are tested): test another no longer first.",
                full.used, full.limit
            );
            faults.add("url", why);
            Changed::Faulty(faults)
        }
        tracked => judged(tracked)?,
    };
    if let Changed::Faulty(faults) = outcome {
        return form_of_new(console, here, &typed, &faults).await;
    }
    outdate(console, here).await;
    Ok(go(&format!("{}?tracked", path(here))))
}

async fn track(
    console: &Console,
    here: &AtDomain,
    settings: PageSettings,
) -> Result<TrackedPage, ChangeError> {
    let now = console.parts.clock.now();
    let id = SyntheticUrlId::generate();
    let noted = noting(console, here, json!({ "url_id": id, "url": settings.url }));
    let page = NewPage {
        next_run_at: settings.next_run(id, now),
        secrets: SealedSecrets::default(),
        id,
        settings,
    };
    console.parts.lab.track(&noted, &page, now).await
}

/// GET /console/domains/{domain_id}/synthetic/settings/pages/{url_id}
pub(crate) async fn ask(
    request: HttpRequest,
    ids: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (domain, id) = ids.into_inner();
    let here = console.at_domain(&request, &domain, CHANGERS).await?;
    here.needs(Module::Synthetic)?;
    let page = find(&console, &here, &id).await?;
    let (seen, typed) = (state(&page), Typed::of(&page.settings));
    form_of(
        &console,
        &here,
        (&page, seen.as_str()),
        &typed,
        &Faults::default(),
    )
    .await
}

/// POST /console/domains/{domain_id}/synthetic/settings/pages/{url_id}
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    ids: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let (domain, id) = ids.into_inner();
    let here = console
        .changer(&request, &domain, (CHANGERS, Module::Synthetic), &sent)
        .await?;
    here.writable()?;
    let page = find(&console, &here, &id).await?;
    let (seen, typed) = (sent.one(SEEN), Typed::sent(&sent));
    let asked = typed.settings()?;
    let now = console.parts.clock.now();
    let change = |present: &TrackedPage, secrets: &SealedSecrets| {
        // The form has all settings: it would undo what somebody else changed.
        as_seen(seen, &state(present))?;
        let settings = PageSettings {
            url: present.settings.url.clone(),
            ..asked.clone()
        };
        let mut judge = Judge::default();
        settings.check(&mut judge);
        judge.or(|| ChangedPage {
            next_run_at: settings.next_run(present.id, now),
            settings,
            secrets: secrets.clone(),
        })
    };
    let details = json!({ "url_id": page.id, "url": page.settings.url, "schedule": asked.schedule });
    let noted = noting(&console, &here, details);
    let updated = console.parts.lab.change(&noted, page.id, &change, now).await;
    if let Changed::Faulty(faults) = judged(there(updated)?)? {
        return form_of(&console, &here, (&page, seen), &typed, &faults).await;
    }
    outdate(&console, &here).await;
    Ok(go(&format!("{}?edited", path(&here))))
}

async fn find(console: &Console, here: &AtDomain, id: &str) -> Result<TrackedPage, Refusal> {
    let id: SyntheticUrlId = id.parse().map_err(|_| Refusal::NoPage)?;
    let page = console.parts.lab.page(&here.access, id).await?;
    page.ok_or(Refusal::NoPage)
}

/// The state of a page's settings, by the time of their last change.
fn state(page: &TrackedPage) -> String {
    page.updated_at.unix_timestamp_nanos().to_string()
}

/// The texts in the fields.
struct Typed {
    url: String,
    label: String,
    is_enabled: bool,
    profile_ids: Vec<String>,
    schedule: String,
    hour: String,
    weekday: String,
    runs_per_test: String,
    categories: Vec<String>,
    patterns: String,
}

impl Typed {
    fn of(settings: &PageSettings) -> Self {
        let optional = |number: Option<u8>| number.map(|number| number.to_string()).unwrap_or_default();
        Self {
            url: settings.url.clone(),
            label: settings.label.clone().unwrap_or_default(),
            is_enabled: settings.enabled,
            profile_ids: settings.profile_ids.clone(),
            schedule: settings.schedule.to_string(),
            hour: optional(settings.schedule_hour),
            weekday: optional(settings.schedule_weekday),
            runs_per_test: settings.runs_per_test.to_string(),
            categories: settings.categories.iter().map(ToString::to_string).collect(),
            patterns: settings.blocked_url_patterns.join("\n"),
        }
    }

    fn sent(form: &Form) -> Self {
        let one = |name| form.one(name).trim().to_owned();
        let all = |name| form.all(name).map(str::to_owned).collect();
        Self {
            url: one("url"),
            label: one("label"),
            is_enabled: form.one("enabled") == "yes",
            profile_ids: all("profile_ids"),
            schedule: one("schedule"),
            hour: one("schedule_hour"),
            weekday: one("schedule_weekday"),
            runs_per_test: one("runs_per_test"),
            categories: all("categories"),
            patterns: form.one("blocked_url_patterns").to_owned(),
        }
    }

    /// The settings that they ask for, which nobody has judged yet, without their URL.
    fn settings(&self) -> Result<PageSettings, Refusal> {
        let schedule: Schedule = chosen(&self.schedule)?.ok_or(Refusal::NoForm)?;
        let has_hour = matches!(schedule, Schedule::Daily | Schedule::Weekly);
        let categories = self.categories.iter().map(|name| name.parse::<Category>());
        let patterns = self.patterns.lines().map(str::trim);
        Ok(PageSettings {
            url: String::new(),
            label: Some(self.label.clone()).filter(|label| !label.is_empty()),
            enabled: self.is_enabled,
            profile_ids: self.profile_ids.clone(),
            schedule,
            // They stand there for the schedules that have them.
            schedule_hour: chosen(&self.hour)?.filter(|_| has_hour),
            schedule_weekday: chosen(&self.weekday)?.filter(|_| schedule == Schedule::Weekly),
            runs_per_test: chosen(&self.runs_per_test)?.ok_or(Refusal::NoForm)?,
            categories: categories
                .collect::<Result<_, _>>()
                .map_err(|_| Refusal::NoForm)?,
            blocked_url_patterns: patterns
                .filter(|pattern| !pattern.is_empty())
                .map(str::to_owned)
                .collect(),
        })
    }

    fn fields(&self, faults: &Faults) -> Markup {
        let hours: Vec<String> = (0..24).map(|hour: u8| hour.to_string()).collect();
        let days: Vec<String> = (1..=7).map(|day: u8| day.to_string()).collect();
        let loads: Vec<String> = RUNS_PER_TEST.map(|loads| loads.to_string()).collect();
        let patterns = format!(
            "One a line, {MOST_PATTERNS} at most, such as *.ads.example/*. The page does not get them."
        );
        let none = [("", "Pharos chooses")];
        html! {
            (Field::new("label", "Name", &self.label).optional().max(100).faults(faults).line())
            (tick("enabled", "enabled", "yes", &html! { "Test it by its schedule" }, self.is_enabled))
            (Field::new("schedule", "Schedule", &self.schedule).faults(faults)
                .select(Schedule::ALL.iter().map(|schedule| (schedule.as_str(), every(*schedule)))))
            (Field::new("schedule_hour", "Hour, UTC", &self.hour).faults(faults)
                .hint("Of a schedule of every day or every week.")
                .select(none.into_iter().chain(hours.iter().map(|hour| (hour.as_str(), hour.as_str())))))
            (Field::new("schedule_weekday", "Day", &self.weekday).faults(faults)
                .hint("Of a schedule of every week.")
                .select(none.into_iter().chain(days.iter().map(String::as_str).zip(DAYS))))
            (Field::new("runs_per_test", "Loads of a test", &self.runs_per_test).faults(faults)
                .hint("The one in the middle is kept, so figures of more loads lie closer together.")
                .select(loads.iter().map(|loads| (loads.as_str(), loads.as_str()))))
            fieldset id="profile_ids" tabindex="-1" {
                legend { "Devices" }
                @if let Some(fault) = faults.of("profile_ids") { p.wrong id="profile_ids-fault" { (fault) } }
                @for profile in &PROFILES {
                    (tick(&format!("profile-{}", profile.id), "profile_ids", profile.id, &html! { (profile.name) },
                        self.profile_ids.iter().any(|id| id == profile.id)))
                }
            }
            fieldset id="categories" tabindex="-1" {
                legend { "Judged by" }
                @if let Some(fault) = faults.of("categories") { p.wrong id="categories-fault" { (fault) } }
                @for category in Category::ALL {
                    (tick(&format!("category-{category}"), "categories", category.as_str(), &html! { (judged_by(*category)) },
                        self.categories.iter().any(|name| name == category.as_str())))
                }
            }
            (Field::new("blocked_url_patterns", "Blocked URLs", &self.patterns).optional().faults(faults).hint(&patterns).area(3))
        }
    }
}

/// One of a choice, or none where it is empty: no browser sends anything else.
fn chosen<T: FromStr>(text: &str) -> Result<Option<T>, Refusal> {
    let value = Some(text).filter(|text| !text.is_empty()).map(str::parse::<T>);
    value.transpose().map_err(|_| Refusal::NoForm)
}

fn judged_by(category: Category) -> &'static str {
    match category {
        Category::Performance => "Performance",
        Category::Accessibility => "Accessibility",
        Category::BestPractices => "Best practices",
        Category::Seo => "SEO",
    }
}

async fn form_of_new(
    console: &Console,
    here: &AtDomain,
    typed: &Typed,
    faults: &Faults,
) -> Result<HttpResponse, Refusal> {
    let domain = named(console, here).await?;
    let content = html! {
        h2 { "A page to test" }
        (faults.summary())
        form.card method="post" action={ (path(here)) "/pages/new" } {
            (here.user.token_field())
            (repeated::field())
            (Field::new("url", "Address", &typed.url).max(2_000).faults(faults)
                .hint("On the domain or below it, with http:// or https://.").line())
            (typed.fields(faults))
            div.actions {
                a.button.quiet href=(path(here)) { "Back" }
                button type="submit" { "Test this page" }
            }
        }
    };
    Ok(frame(here, &domain.title, Module::Synthetic.as_str())
        .part("A page to test")
        .status(faults.status())
        .with(&content))
}

/// The form of a page. `seen` is its state that the form was filled from.
async fn form_of(
    console: &Console,
    here: &AtDomain,
    (page, seen): (&TrackedPage, &str),
    typed: &Typed,
    faults: &Faults,
) -> Result<HttpResponse, Refusal> {
    let domain = named(console, here).await?;
    let secrets = match (page.has_basic_auth, page.has_cookie) {
        (false, false) => "none",
        (true, false) => "a user with a password",
        (false, true) => "a cookie",
        (true, true) => "a user with a password, and a cookie",
    };
    let content = html! {
        h2 { "Edit " bdi { (shown(name_of(page))) } }
        p.note { bdi { (shown(&page.settings.url)) } }
        (faults.summary())
        form.card method="post" action={ (path(here)) "/pages/" (page.id) } {
            (here.user.token_field())
            input type="hidden" name=(SEEN) value=(seen);
            (typed.fields(faults))
            div.actions {
                a.button.quiet href=(path(here)) { "Back" }
                button type="submit" { "Save" }
            }
        }
        p.note {
            "The way to a page that is not public is set by the API, and stays as it is: " (secrets) ". "
            code { "PUT /domains/" (here.id()) "/synthetic/urls/" (page.id) }
        }
    };
    Ok(frame(here, &domain.title, Module::Synthetic.as_str())
        .part("Edit a page")
        .status(faults.status())
        .with(&content))
}
