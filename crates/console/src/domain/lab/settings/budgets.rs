//! A budget that is set, or put in the place of another.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_domain::{ids::SyntheticBudgetId, module::Module, settings::SettingFault};
use pharos_synthetic::{
    budget::{Budget, BudgetDirection, BudgetMetric},
    page::TrackedPage,
    profile::PROFILES,
};
use serde_json::json;

use super::{CHANGERS, name_of, noting, outdate, path};
use crate::{
    console::Console,
    domain::{
        frame, named,
        settings::{Changed, judged},
    },
    enter::AtDomain,
    form::Form,
    page::go,
    parts::form::{Faults, Field, outdated},
    refusal::Refusal,
    repeated,
    shown::shown,
};

/// The last part of the path of a budget that is not there yet.
const NEW: &str = "new";

/// GET /console/domains/{domain_id}/synthetic/settings/budgets/{budget_id}, or `new`
pub(crate) async fn ask(
    request: HttpRequest,
    ids: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (domain, id) = ids.into_inner();
    let here = console.at_domain(&request, &domain, CHANGERS).await?;
    here.needs(Module::Synthetic)?;
    let id = named_by(&id)?;
    let typed = match id {
        None => Typed::begin(),
        Some(id) => {
            let budgets = console.parts.lab.budgets(&here.access).await?;
            let found = budgets.iter().find(|kept| kept.budget.id == id);
            Typed::of(&found.ok_or(Refusal::NoPage)?.budget)
        }
    };
    let pages = console.parts.lab.pages(&here.access).await?;
    form(
        &console,
        &here,
        (id, pages.as_slice()),
        &typed,
        &Faults::default(),
    )
    .await
}

/// POST /console/domains/{domain_id}/synthetic/settings/budgets/{budget_id}, or `new`
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
    let id = named_by(&id)?;
    let (digest, parts) = (sent.digest(&request, &here.user.secret), console.clone());
    let work = async move { set(&parts, &here, id, &sent).await };
    console.repeated.answer(digest, work).await
}

async fn set(
    console: &Console,
    here: &AtDomain,
    id: Option<SyntheticBudgetId>,
    sent: &Form,
) -> Result<HttpResponse, Refusal> {
    let typed = Typed::sent(sent);
    let budget = typed.budget()?;
    let lab = &console.parts.lab;
    let pages = lab.pages(&here.access).await?;
    let known: Vec<_> = pages.iter().map(|page| page.id).collect();
    // One that was changed has another id since, so nothing that somebody else changed is undone.
    let change = |present: &[Budget]| budget.clone().among(present, id, &known).map_err(at_this);
    let details = json!({
        "budget_id": budget.id,
        "in_place_of": id,
        "metric": budget.metric,
        "limit": budget.limit.is_finite().then_some(budget.limit),
        "direction": budget.direction,
    });
    let noted = noting(console, here, details);
    if let Changed::Faulty(faults) = judged(lab.change_budgets(&noted, &change).await)? {
        return form(console, here, (id, pages.as_slice()), &typed, &faults).await;
    }
    outdate(console, here).await;
    Ok(go(&format!("{}?set", path(here))))
}

/// The budget that a path names; `None`: a new one.
fn named_by(id: &str) -> Result<Option<SyntheticBudgetId>, Refusal> {
    if id == NEW {
        return Ok(None);
    }
    id.parse().map(Some).map_err(|_| Refusal::NoPage)
}

/// The faults as the form has them: one that is gone was seen in another state.
fn at_this(found: Vec<SettingFault>) -> Vec<SettingFault> {
    if found.iter().any(|fault| fault.pointer == "/id") {
        return outdated();
    }
    found
}

/// The texts in the fields.
struct Typed {
    metric: String,
    limit: String,
    direction: String,
    url_id: String,
    profile_id: String,
}

impl Typed {
    fn begin() -> Self {
        Self {
            metric: BudgetMetric::LcpMs.to_string(),
            limit: "2500".to_owned(),
            direction: String::new(),
            url_id: String::new(),
            profile_id: String::new(),
        }
    }

    fn of(budget: &Budget) -> Self {
        let Budget {
            id: _,
            url_id,
            profile_id,
            metric,
            limit,
            direction,
        } = budget;
        Self {
            metric: metric.to_string(),
            limit: limit.to_string(),
            direction: direction.to_string(),
            url_id: url_id.map(|id| id.to_string()).unwrap_or_default(),
            profile_id: profile_id.clone().unwrap_or_default(),
        }
    }

    fn sent(form: &Form) -> Self {
        let one = |name| form.one(name).trim().to_owned();
        Self {
            metric: one("metric"),
            limit: one("limit"),
            direction: one("direction"),
            url_id: one("url_id"),
            profile_id: one("profile_id"),
        }
    }

    /// The budget that they ask for, which nobody has judged yet. A bound that is no number is none that a budget may have.
    fn budget(&self) -> Result<Budget, Refusal> {
        let metric: BudgetMetric = self.metric.parse().map_err(|_| Refusal::NoForm)?;
        let direction = match self.direction.as_str() {
            "" => metric.usual_direction(),
            text => text.parse().map_err(|_| Refusal::NoForm)?,
        };
        let url_id = match self.url_id.as_str() {
            "" => None,
            text => Some(text.parse().map_err(|_| Refusal::NoForm)?),
        };
        Ok(Budget {
            id: SyntheticBudgetId::generate(),
            url_id,
            profile_id: Some(self.profile_id.clone()).filter(|id| !id.is_empty()),
            metric,
            limit: self.limit.parse().unwrap_or(f64::NAN),
            direction,
        })
    }

    fn fields(&self, pages: &[TrackedPage], faults: &Faults) -> Markup {
        let metrics: Vec<(&str, String)> = BudgetMetric::ALL
            .iter()
            .map(|metric| {
                let unmeasured = if metric.is_measured() {
                    ""
                } else {
                    " (not measured in the lab)"
                };
                (metric.as_str(), format!("{}{unmeasured}", metric.name()))
            })
            .collect();
        let pages: Vec<(String, String)> = pages
            .iter()
            .map(|page| (page.id.to_string(), shown(name_of(page))))
            .collect();
        let sides = [
            ("", "what is usual: a score at least, all else at most"),
            (BudgetDirection::Max.as_str(), "at most the bound"),
            (BudgetDirection::Min.as_str(), "at least the bound"),
        ];
        let all = [("", "all")];
        html! {
            (Field::new("metric", "Figure", &self.metric).faults(faults)
                .select(metrics.iter().map(|(name, shown)| (*name, shown.as_str()))))
            (Field::new("limit", "Bound", &self.limit).max(20).faults(faults)
                .hint("In milliseconds, bytes, requests or points, as the figure has it. The bound itself is kept.").line())
            (Field::new("direction", "Has to be", &self.direction).faults(faults).select(sides))
            (Field::new("url_id", "Page", &self.url_id).faults(faults)
                .select(all.into_iter().chain(pages.iter().map(|(id, name)| (id.as_str(), name.as_str())))))
            (Field::new("profile_id", "Device", &self.profile_id).faults(faults)
                .select(all.into_iter().chain(PROFILES.iter().map(|profile| (profile.id, profile.name)))))
        }
    }
}

async fn form(
    console: &Console,
    here: &AtDomain,
    (id, pages): (Option<SyntheticBudgetId>, &[TrackedPage]),
    typed: &Typed,
    faults: &Faults,
) -> Result<HttpResponse, Refusal> {
    let domain = named(console, here).await?;
    let last = id.map_or_else(|| NEW.to_owned(), |id| id.to_string());
    let heading = if id.is_some() { "Edit a budget" } else { "A budget" };
    let content = html! {
        h2 { (heading) }
        (faults.summary())
        form.card method="post" action={ (path(here)) "/budgets/" (last) } {
            (here.user.token_field())
            (repeated::field())
            (typed.fields(pages, faults))
            div.actions {
                a.button.quiet href=(path(here)) { "Back" }
                button type="submit" { @if id.is_some() { "Save" } @else { "Set the budget" } }
            }
        }
    };
    Ok(frame(here, &domain.title, Module::Synthetic.as_str())
        .part(heading)
        .status(faults.status())
        .with(&content))
}
