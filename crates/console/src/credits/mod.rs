//! The plan and the credits of a workspace: what its cycle has and has used, its quotas, the calls that it paid for.

mod asked;
mod log;
mod spent;

use std::{collections::BTreeSet, slice, time::Duration};

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_account::{
    admin::{members::Member, users::User},
    credits::{LoggedCall, MemberShare, Spent},
    quotas::Quota,
};
use pharos_domain::{
    credits::Balance,
    ids::UserId,
    page::{self, ListKey, PageRequest},
    quota::{QuotaPeriod, QuotaResource},
    role::Role,
    store::StoreError,
};
use time::OffsetDateTime;
use tokio::time::timeout;

use self::asked::Asked;
use crate::{
    console::Console,
    enter::InWorkspace,
    form,
    nav::workspace_path,
    page::{Page, fault, moment},
    parts::{
        facts::{Figure, figures},
        notice,
        table::{Column, Pages, Table},
    },
    refusal::Refusal,
    shown::shown,
};

/// How many calls a page has.
const A_PAGE: usize = 50;
/// How many members are listed with what they used.
const MEMBERS: usize = 50;
/// How long the page waits for the sums of the cycle. It is shown without them then.
const SUMS_WITHIN: Duration = Duration::from_secs(5);

/// GET /console/w/{workspace_id}/credits?operation=…&credential=…&day=…&cursor=…
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &id, Role::Viewer).await?;
    let query = request.query_string();
    let asked = Asked::of(query);
    let list = asked.list(ListKey::new("console-credits", here.id().0));
    let after = form::after(query, &list)?;
    let is_front = after.is_none() && !asked.is_any();
    let is_first = after.is_none();
    let wanted = PageRequest {
        limit: A_PAGE,
        after,
        list,
    };
    let (accounts, now) = (&console.parts.accounts, console.parts.clock.now());
    let credits = &*accounts.credits;
    let (keys, members) = tokio::try_join!(accounts.keys.list(here.id()), accounts.members.list(here.id()))?;
    // Whoever looks through the log has seen the rest.
    let front = if is_front {
        Some(Front::read(&console, &here, now).await?)
    } else {
        None
    };
    let spent = front.as_ref().and_then(|front| front.spent.as_deref());
    let calls = if asked.is_any() {
        found(&console, &here, &asked, &wanted, now).await?
    } else {
        Some(credits.log(&here.access, &wanted, now).await?)
    };
    let callers = match &calls {
        Some(calls) => callers(&console, &calls.items).await?,
        None => Vec::new(),
    };
    let path = workspace_path(here.id(), "credits");
    let content = html! {
        (fault(asked.fault))
        @if let Some(front) = &front { (front.show(&here, &members, now)) }
        h2 { "Calls of this cycle" }
        p.note { "Every call by a key, by an app, or by a member at this console. Answers from the cache, refusals and replays cost nothing." }
        (asked.form(&path, spent, &keys, now))
        @match &calls {
            Some(calls) => {
                (log::table(&calls.items, &keys, &callers, asked.is_any()))
                @if !is_first || calls.has_more {
                    (Pages {
                        shown: "The newest first",
                        before: (!is_first).then(|| asked.address(&path, None)),
                        after: calls.next_cursor.as_deref().map(|cursor| asked.address(&path, Some(cursor))),
                    }.show())
                }
            }
            None => (notice::hint(&html! { p { "There are so many calls that to look through all of them takes too long. Look through one day." } })),
        }
    };
    let status = if asked.fault.is_some() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    Ok(Page::new("Plan and credits", Some(here.user.owner()))
        .at(here.place("credits"))
        .wide()
        .status(status)
        .with(&content))
}

/// The users who made calls at the console, those who are no members any more among them.
async fn callers(console: &Console, calls: &[LoggedCall]) -> Result<Vec<User>, Refusal> {
    let ids: BTreeSet<UserId> = calls.iter().map(|call| UserId(call.credential_id.0)).collect();
    let ids: Vec<UserId> = ids.into_iter().collect();
    Ok(console.parts.accounts.users.by_ids(&ids).await?)
}

/// The content of the page above the log.
struct Front {
    balance: Balance,
    /// `None`: to add them up takes too long.
    spent: Option<Vec<Spent>>,
    shares: Vec<MemberShare>,
    quotas: Vec<Quota>,
}

impl Front {
    async fn read(console: &Console, here: &InWorkspace, now: OffsetDateTime) -> Result<Self, Refusal> {
        let accounts = &console.parts.accounts;
        let reads = async {
            let read = tokio::try_join!(
                accounts.credits.balances(slice::from_ref(&here.access), now),
                accounts.credits.shares(&here.access, now),
                accounts.quotas.list(&here.access, now),
            )?;
            Ok::<_, Refusal>(read)
        };
        let ((balances, shares, quotas), spent) = tokio::try_join!(reads, sums(console, here, now))?;
        Ok(Self {
            balance: balances.into_iter().next().ok_or(Refusal::NoPage)?,
            spent,
            shares,
            quotas,
        })
    }

    fn show(&self, here: &InWorkspace, members: &[Member], now: OffsetDateTime) -> Markup {
        html! {
            (balance_of(&self.balance))
            (spent::pictures(&self.balance, self.spent.as_deref(), now))
            h2 { "Members" }
            (share_table(here, &self.shares, members))
            h2 { "Quotas" }
            (quota_table(&self.quotas))
        }
    }
}

/// The calls and credits of the cycle, added up; `None` where that takes too long.
async fn sums(
    console: &Console,
    here: &InWorkspace,
    now: OffsetDateTime,
) -> Result<Option<Vec<Spent>>, Refusal> {
    let sums = timeout(SUMS_WITHIN, async {
        // It reads much, as the pages of modules do.
        let _permit = console.page_permits.take(here.id()).await;
        console.parts.accounts.credits.spent(&here.access, now).await
    });
    match sums.await {
        Ok(Ok(spent)) => Ok(Some(spent)),
        Ok(Err(StoreError::TooLong(_))) | Err(_) => Ok(None),
        Ok(Err(error)) => Err(error.into()),
    }
}

/// The calls that are looked for; `None` where that takes too long.
async fn found(
    console: &Console,
    here: &InWorkspace,
    asked: &Asked,
    page: &PageRequest,
    now: OffsetDateTime,
) -> Result<Option<page::Page<LoggedCall>>, Refusal> {
    let search = timeout(SUMS_WITHIN, async {
        let _permit = console.page_permits.take(here.id()).await;
        let credits = &console.parts.accounts.credits;
        credits.search(&here.access, &asked.filter, page, now).await
    });
    match search.await {
        Ok(Ok(calls)) => Ok(Some(calls)),
        Ok(Err(StoreError::TooLong(_))) | Err(_) => Ok(None),
        Ok(Err(error)) => Err(error.into()),
    }
}

/// The table of the credits that each member's keys and apps used, the largest share first.
fn share_table(here: &InWorkspace, shares: &[MemberShare], members: &[Member]) -> Markup {
    let rows = shares.iter().take(MEMBERS).filter_map(|share| {
        let member = members.iter().find(|member| member.user_id == share.user_id)?;
        let page = workspace_path(here.id(), &format!("members/{}", member.user_id));
        Some(vec![
            html! { a href=(page) { bdi { (shown(&member.email)) } } },
            html! { (count(share.used)) },
            html! { @match share.cap { Some(cap) => (count(cap)), None => "no cap" } },
        ])
    });
    let table = Table {
        caption: "Credits of this cycle by member",
        columns: &[
            Column::text("Who, with their keys and apps"),
            Column::figure("Used"),
            Column::figure("Cap"),
        ],
        rows: rows.collect(),
    };
    html! {
        (table.show(&html! {}))
        @if shares.len() > MEMBERS { p.note { "The " (MEMBERS) " who used most, of " (shares.len()) "." } }
        p.note { "An owner or admin sets a cap on the page of a member." }
    }
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
