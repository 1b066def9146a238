//! URLs that are saved with what is expected of them: whether the robots.txt says so, and the form of the list.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_crawl::robots::{
    asked::{LONGEST_USER_AGENT, USER_AGENT_WORDS, is_user_agent, url_of_site},
    monitor::{
        evaluate::{InForce, Tests},
        fetch::robots_url,
        site::{Expectation, TestUrl},
    },
};
use pharos_domain::{credits::SettleError, module::Module, role::Role};
use serde_json::json;
use tokio::task::spawn_blocking;
use url::Url;
use uuid::Uuid;

use crate::{
    console::Console,
    domain::{frame, named, settings::changed},
    enter::AtDomain,
    form::Form,
    nav::domain_path,
    page::go,
    parts::{
        form::{Faults, Field, SEEN, state, unlike},
        mark::{self, Tone},
        notice,
        table::{Column, Part, Table},
    },
    refusal::Refusal,
    shown::shown,
};

/// Where the page lies below a domain.
pub(super) const PATH: &str = "robots/saved";
/// Who changes the list, as at the API.
const CHANGERS: Role = Role::Member;
/// Two hundred of the longest URLs and crawlers, as far as forms escape them.
const MOST_BYTES: usize = 1024 * 1024;
/// How many URLs are saved at most.
const MOST_SAVED: usize = 200;
/// How many faults are told of at once.
const MOST_FAULTS: usize = 20;

/// The form's fields as they are typed.
struct Typed {
    saved: String,
    /// The list that the form was filled from.
    seen: String,
}

impl Typed {
    fn of(saved: &[TestUrl]) -> Self {
        let lines = saved.iter().map(|saved| {
            let TestUrl {
                id: _,
                url,
                user_agent,
                expectation,
            } = saved;
            format!("{} {url} {user_agent}", expectation.name())
        });
        let saved = lines.collect::<Vec<_>>().join("\n");
        Self {
            seen: state([saved.as_str()]),
            saved,
        }
    }

    /// The URLs that it has, one a line, or all that is wrong with them.
    fn urls(&self, robots_url: &Url) -> Result<Vec<TestUrl>, Faults> {
        let lines = self.saved.lines().map(str::trim);
        let lines: Vec<&str> = lines
            .filter(|line| !line.is_empty())
            .take(MOST_SAVED + 1)
            .collect();
        let mut faults = Faults::default();
        if lines.len() > MOST_SAVED {
            faults.add("saved", format!("At most {MOST_SAVED} URLs, one a line."));
        }
        let mut urls = Vec::new();
        for (number, line) in (1..).zip(lines) {
            match url(line, robots_url) {
                Ok(url) => urls.push(url),
                Err(why) => faults.add("saved", format!("Line {number}: {why}.")),
            }
            if faults.all().count() == MOST_FAULTS {
                break;
            }
        }
        if faults.is_empty() { Ok(urls) } else { Err(faults) }
    }
}

/// A line: what is expected, the URL, and the crawler, whose name may have spaces.
fn url(line: &str, robots_url: &Url) -> Result<TestUrl, String> {
    let (expected, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim_start();
    let (written, user_agent) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let user_agent = user_agent.trim();
    let expectation = Expectation::named(expected).ok_or("it begins with allowed or disallowed")?;
    let written = if written.starts_with('/') {
        format!("{}{written}", robots_url.origin().ascii_serialization())
    } else {
        written.to_owned()
    };
    url_of_site(&written, robots_url.as_str())?;
    if !is_user_agent(user_agent) || user_agent.contains(char::is_control) {
        return Err(format!(
            "it ends with a crawler, at most {LONGEST_USER_AGENT} characters: {USER_AGENT_WORDS}"
        ));
    }
    Ok(TestUrl {
        id: Uuid::now_v7(),
        url: written,
        user_agent: user_agent.to_owned(),
        expectation,
    })
}

/// GET /console/domains/{domain_id}/robots/saved
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.at_domain(&request, &id, Role::Viewer).await?;
    here.needs(Module::Robots)?;
    page(&console, &here, request.query_string(), None, &Faults::default()).await
}

/// POST /console/domains/{domain_id}/robots/saved
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read_at_most(&console, &request, payload, MOST_BYTES).await?;
    let here = console.at_domain(&request, &id, CHANGERS).await?;
    here.user.check(&sent, &console)?;
    here.needs(Module::Robots)?;
    here.writable()?;
    let typed = Typed {
        saved: sent.one("saved").to_owned(),
        seen: sent.one(SEEN).to_owned(),
    };
    let robots = &console.parts.crawl.robots;
    let judged = match speaks(&console, &here).await? {
        Some(robots_url) => typed.urls(&robots_url),
        None => {
            let mut faults = Faults::default();
            faults.add("saved", "The domain has no site to fetch a robots.txt of.");
            Err(faults)
        }
    };
    // The form has the whole list: it would undo what somebody else changed.
    let present = Typed::of(&robots.test_urls(&here.access).await?);
    let judged = unlike(&typed.seen, &present.seen).map_or(judged, Err);
    let urls = match judged {
        Ok(urls) => urls,
        Err(faults) => return page(&console, &here, "", Some(typed), &faults).await,
    };
    let noted = changed(
        &console,
        &here,
        Module::Robots,
        json!({ "test_urls": urls.len() }),
    );
    match robots.replace_test_urls(&noted, &urls).await {
        Ok(()) => {}
        Err(SettleError::Store(error)) => return Err(error.into()),
        Err(error) => {
            tracing::error!(%error, "the saved URLs of a domain can't be changed at the console");
            return Err(Refusal::Internal);
        }
    }
    console.parts.answers.outdated(here.id(), Module::Robots).await;
    Ok(go(&format!("{}?saved", domain_path(here.id(), PATH))))
}

/// The robots.txt that speaks for the site: the one that was fetched, or that will be.
async fn speaks(console: &Console, here: &AtDomain) -> Result<Option<Url>, Refusal> {
    let crawl = &console.parts.crawl;
    if let Some(site) = crawl.robots.site(&here.access).await? {
        return Ok(Url::parse(&site.robots_url).ok());
    }
    let site = crawl.addresses.of(&[here.id()]).await?.remove(&here.id());
    Ok(site.and_then(|site| robots_url(&site)))
}

/// The page. `typed`: what was sent, where it is not in order.
async fn page(
    console: &Console,
    here: &AtDomain,
    query: &str,
    typed: Option<Typed>,
    faults: &Faults,
) -> Result<HttpResponse, Refusal> {
    let robots = &console.parts.crawl.robots;
    let domain = named(console, here).await?;
    let saved = robots.test_urls(&here.access).await?;
    let typed = typed.unwrap_or_else(|| Typed::of(&saved));
    let site = robots.site(&here.access).await?;
    let permit = console.page_permits.turn(here.workspace()).await?;
    let tested = spawn_blocking(move || {
        // Whoever hangs up does not end this.
        let _permit = permit;
        let file = site.as_ref().map(InForce::of);
        let mut tests = Tests::new(file.as_ref());
        let passes = |saved: TestUrl| {
            let passes = tests.test(&saved).passes(saved.expectation);
            (saved, passes)
        };
        saved.into_iter().map(passes).collect::<Vec<_>>()
    });
    let tested = tested.await.map_err(|_| Refusal::Internal)?;
    let part = Part::of(&tested, query);
    let columns = ["URL", "Crawler", "Expected", "So it is"].map(Column::text);
    let table = Table {
        caption: "Saved URLs",
        columns: &columns,
        rows: part.items.iter().map(row).collect(),
    };
    let path = domain_path(here.id(), PATH);
    let empty = notice::empty(
        "No URL is saved yet",
        &html! { p { "Save what must stay open, such as the first page to Googlebot, and what must stay shut." } },
    );
    let content = html! {
        @if query == "saved" { (notice::done("The list was saved.")) }
        p { a href=(domain_path(here.id(), Module::Robots.as_str())) { "Back to the robots.txt" } }
        h2 { "Saved URLs" }
        p { "Each is held against the file as crawlers take it now. A rule on alerts can watch how many are not as expected." }
        (table.show(&empty))
        (part.pages(&path))
        @if here.role() >= CHANGERS && here.writable().is_ok() {
            (faults.summary())
            form.card method="post" action=(path) {
                (here.user.token_field())
                input type="hidden" name=(SEEN) value=(typed.seen);
                (Field::new("saved", "All saved URLs", &typed.saved).optional().faults(faults)
                    .hint("One a line: allowed or disallowed, the URL or its path, and the crawler, such as: disallowed /cart Googlebot.")
                    .area(8))
                div.actions { button type="submit" { "Save the list" } }
            }
        }
    };
    Ok(frame(here, &domain.title, Module::Robots.as_str())
        .part("Saved URLs")
        .status(faults.status())
        .with(&content))
}

fn row((saved, passes): &(TestUrl, Option<bool>)) -> Vec<Markup> {
    let stands = match passes {
        Some(true) => mark::state(Tone::Good, "as expected"),
        Some(false) => mark::state(Tone::Bad, "not as expected"),
        None => mark::state(Tone::Calm, "not known yet"),
    };
    vec![
        html! { bdi { (shown(&saved.url)) } },
        html! { bdi { (shown(&saved.user_agent)) } },
        html! { (saved.expectation.name()) },
        stands,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(saved: &str) -> Result<Vec<(String, String)>, Vec<String>> {
        let typed = Typed {
            saved: saved.to_owned(),
            seen: String::new(),
        };
        let robots_url = Url::parse("https://shop.example/robots.txt").unwrap();
        match typed.urls(&robots_url) {
            Ok(urls) => Ok(urls
                .into_iter()
                .map(|saved| (saved.url, saved.user_agent))
                .collect()),
            Err(faults) => Err(faults.all().map(str::to_owned).collect()),
        }
    }

    #[test]
    fn a_line_has_what_is_expected_the_url_and_the_crawler() {
        let urls = told(" disallowed  /cart  Mozilla/5.0 (x) \n\nallowed https://shop.example/ *").unwrap();
        assert_eq!(
            urls,
            [
                (
                    "https://shop.example/cart".to_owned(),
                    "Mozilla/5.0 (x)".to_owned()
                ),
                ("https://shop.example/".to_owned(), "*".to_owned()),
            ]
        );
        let faults =
            told("open / *\nallowed https://other.example/ *\nallowed /\nallowed / a\0b").unwrap_err();
        for (fault, says) in faults.iter().zip([
            "Line 1: it begins with allowed",
            "Line 2: not a URL of https://shop.example",
            "Line 3: it ends with a crawler",
            "Line 4: it ends with a crawler",
        ]) {
            assert!(fault.contains(says), "{fault}");
        }
        assert_eq!(faults.len(), 4);
        assert_eq!(told(&"open\n".repeat(1_000)).unwrap_err().len(), MOST_FAULTS);
    }
}
