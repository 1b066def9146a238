//! The plan and the credits of a workspace: what its cycle has, its quotas, and the calls that it paid for.

mod log;

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_account::quotas::Quota;
use pharos_domain::{
    credits::Balance,
    page::{ListKey, PageRequest, Position},
    quota::{QuotaPeriod, QuotaResource},
    role::Role,
};

use crate::{
    console::Console,
    form,
    nav::workspace_path,
    page::{Page, moment},
    parts::{
        facts::{Figure, figures},
        table::{Column, Pages, Table},
    },
    refusal::Refusal,
};

/// How many calls a page has.
const A_PAGE: usize = 50;

/// GET /console/w/{workspace_id}/credits?cursor=…
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &id, Role::Viewer).await?;
    let list = ListKey::new("console-credits", here.id().0);
    let after = match form::in_query(request.query_string(), "cursor") {
        Some(cursor) => Some(Position::open(&cursor, &list).ok_or(Refusal::NoPage)?),
        None => None,
    };
    let is_first = after.is_none();
    let asked = PageRequest {
        limit: A_PAGE,
        after,
        list,
    };
    let (accounts, now) = (&console.parts.accounts, console.parts.clock.now());
    let balances = accounts
        .credits
        .balances(std::slice::from_ref(&here.access), now)
        .await?;
    let balance = balances.first().ok_or(Refusal::NoPage)?;
    let quotas = accounts.quotas.list(&here.access, now).await?;
    let calls = accounts.credits.log(&here.access, &asked, now).await?;
    let keys = accounts.keys.list(here.id()).await?;
    let path = workspace_path(here.id(), "credits");
    let pages = Pages {
        shown: "The newest first",
        before: (!is_first).then(|| path.clone()),
        after: calls
            .next_cursor
            .as_ref()
            .map(|cursor| format!("{path}?cursor={cursor}")),
    };
    let content = html! {
        (balance_of(balance))
        h2 { "Quotas" }
        (quota_table(&quotas))
        h2 { "Calls of this cycle" }
        p.note { "Every call by a key or an app. Answers from the cache, refusals and replays cost nothing." }
        (log::table(&calls.items, &keys))
        @if !is_first || calls.has_more { (pages.show()) }
    };
    Ok(Page::new("Plan and credits", Some(here.user.owner()))
        .at(here.place("credits"))
        .wide()
        .with(&content))
}

fn figure<'a>(name: &'a str, value: u64, note: Option<Markup>) -> Figure<'a> {
    Figure {
        name,
        value: Some(count(value)),
        note,
    }
}

/// A number of credits or things, with its thousands apart.
fn count(value: u64) -> String {
    let digits = value.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    let groups = groups.into_iter().map(|group| String::from_utf8_lossy(group));
    groups.collect::<Vec<_>>().join(",")
}

fn balance_of(balance: &Balance) -> Markup {
    let mut shown = vec![
        figure(
            "Used",
            balance.used,
            Some(html! { " of " (count(balance.granted)) }),
        ),
        figure(
            "Left",
            balance.remaining(),
            Some(html! { " until " (moment(balance.cycle_end)) }),
        ),
    ];
    if let Some(member) = balance.member {
        let of = html! { " of " (count(member.granted)) " that you may use" };
        shown.push(figure("Used by you", member.used, Some(of)));
    }
    html! {
        (figures(&shown))
        p.note { "This cycle began on " (moment(balance.cycle_start)) ". What is left does not roll over." }
    }
}

fn quota_table(quotas: &[Quota]) -> Markup {
    let table = Table {
        caption: "Quotas",
        columns: &[
            Column::text("What"),
            Column::figure("Used"),
            Column::figure("Limit"),
            Column::text("Begins anew").spare(),
        ],
        rows: quotas
            .iter()
            .map(|quota| {
                vec![
                    html! { (words(quota.resource)) },
                    html! { (count(quota.used)) },
                    html! { @match quota.limit { Some(limit) => (count(limit)), None => "no limit" } },
                    html! {
                        @match (quota.resets_on, quota.resource.period()) {
                            (Some(day), QuotaPeriod::Day | QuotaPeriod::Month) => { (day) " UTC" }
                            _ => "never: it counts what there is"
                        }
                    },
                ]
            })
            .collect(),
    };
    table.show(&html! {})
}

fn words(resource: QuotaResource) -> &'static str {
    match resource {
        QuotaResource::InspectorUrls => "Pages inspected for Google’s index",
        QuotaResource::SyntheticRuns => "Lab tests",
        QuotaResource::TrackedUrlsCrux => "Pages followed in CrUX",
        QuotaResource::TrackedUrlsSynthetic => "Pages that are lab-tested on a schedule",
        QuotaResource::MonitoredUrlsIndexing => "Pages whose indexing is watched",
        QuotaResource::ReportTemplates => "Report templates",
    }
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn thousands_stand_apart() {
        for (value, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(count(value), text);
        }
    }
}
