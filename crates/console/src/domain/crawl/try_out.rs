//! Trying a robots.txt out: what it says of URLs now, and what another text would say. Nothing is fetched and nothing saved.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_crawl::robots::{
    asked::{LONGEST_USER_AGENT, USER_AGENT_WORDS, is_user_agent, url_of_site},
    effort::Effort,
    file::Rule,
    issue::Issue,
    line::READ_BYTES,
    monitor::evaluate::{AccessReason, InForce, Verdict, Verdicts},
};
use pharos_domain::{module::Module, role::Role};
use tokio::task::spawn_blocking;
use url::Url;

use super::severity;
use crate::{
    console::Console,
    domain::{frame, named},
    enter::AtDomain,
    form::Form,
    nav::domain_path,
    parts::{
        form::{Faults, Field},
        mark::{self, Tone},
        notice,
        table::{Column, Table},
    },
    refusal::Refusal,
    shown::shown,
};

/// A text of 500 KiB, of which the form escapes each byte, and its URLs.
const MOST_BYTES: usize = 3 * READ_BYTES + 256 * 1024;
/// How many URLs are tried at once.
const MOST_URLS: usize = 20;
/// More than anybody types into a field beside the text.
const MOST_TYPED: usize = 64 * 1024;
/// A longer file is not laid into the box, so that the page stays light.
const MOST_LAID_IN: usize = 8 * 1024;
/// How many findings of a text are shown.
const MOST_ISSUES: usize = 50;

/// The form's fields as they are typed.
pub(super) struct Fields {
    urls: String,
    user_agent: String,
    content: String,
}

impl Fields {
    /// Those of the form before it is filled in: the text is the file's, to be changed.
    pub(super) fn of_file(content: Option<&[u8]>) -> Self {
        let text = content.filter(|content| content.len() <= MOST_LAID_IN);
        let text = text.and_then(|content| std::str::from_utf8(content).ok());
        Self {
            urls: "/".to_owned(),
            user_agent: "Googlebot".to_owned(),
            content: text.unwrap_or_default().trim_start_matches('\u{feff}').to_owned(),
        }
    }

    fn sent(form: &Form) -> Self {
        Self {
            urls: form.one("urls").to_owned(),
            user_agent: form.one("user_agent").trim().to_owned(),
            content: form.one("content").to_owned(),
        }
    }

    /// The URLs, one a line; a path is one of the site.
    fn urls(&self, robots_url: &Url, faults: &mut Faults) -> Vec<Url> {
        let written: Vec<&str> = self
            .urls
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        if written.is_empty() || written.len() > MOST_URLS {
            faults.add("urls", format!("Between 1 and {MOST_URLS} URLs, one a line."));
            return Vec::new();
        }
        let mut urls = Vec::new();
        for line in written {
            let found = if line.starts_with('/') {
                let site = robots_url.origin().ascii_serialization();
                url_of_site(&format!("{site}{line}"), robots_url.as_str())
            } else {
                url_of_site(line, robots_url.as_str())
            };
            match found {
                Ok(url) => urls.push(url),
                Err(why) => {
                    let line: String = line.chars().take(100).collect();
                    faults.add("urls", format!("{}: {why}.", shown(&line)));
                }
            }
        }
        urls
    }

    /// Says what is wrong. A text that is far too long does not come back with that: each page would be as long, and whoever reads it
    /// slowly would hold it in memory.
    fn judge(&mut self, faults: &mut Faults) {
        if !is_user_agent(&self.user_agent) {
            let why = format!("At most {LONGEST_USER_AGENT} characters: {USER_AGENT_WORDS}.");
            faults.add("user_agent", why);
        }
        if self.content.len() > READ_BYTES {
            let why = format!(
                "{} bytes; crawlers read {READ_BYTES} of a robots.txt.",
                self.content.len()
            );
            faults.add("content", why);
            self.content.clear();
        }
        for typed in [&mut self.urls, &mut self.user_agent] {
            if typed.len() > MOST_TYPED {
                typed.clear();
            }
        }
    }
}

/// POST /console/domains/{domain_id}/robots
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read_at_most(&console, &request, payload, MOST_BYTES).await?;
    let here = console.at_domain(&request, &id, Role::Viewer).await?;
    here.user.check(&sent, &console)?;
    here.needs(Module::Robots)?;
    let site = console.parts.crawl.robots.site(&here.access).await?;
    let site = site.ok_or(Refusal::NoPage)?;
    let robots_url = Url::parse(&site.robots_url).map_err(|_| Refusal::Internal)?;
    let mut fields = Fields::sent(&sent);
    let mut faults = Faults::default();
    let urls = fields.urls(&robots_url, &mut faults);
    fields.judge(&mut faults);
    let (status, found) = if faults.is_empty() {
        let permit = console.page_permits.turn(here.workspace()).await?;
        let (agent, content) = (fields.user_agent.clone(), fields.content.clone());
        let found = spawn_blocking(move || {
            // Whoever hangs up does not end this.
            let _permit = permit;
            results(&InForce::of(&site), &content, &agent, &urls)
        })
        .await;
        (StatusCode::OK, found.map_err(|_| Refusal::Internal)?)
    } else {
        (StatusCode::BAD_REQUEST, html! {})
    };
    let domain = named(&console, &here).await?;
    let content = html! {
        p { a href=(domain_path(here.id(), Module::Robots.as_str())) { "Back to the robots.txt" } }
        (found)
        (section(&here, &fields, &faults))
    };
    Ok(frame(&here, &domain.title, Module::Robots.as_str())
        .status(status)
        .with(&content))
}

/// The form.
pub(super) fn section(here: &AtDomain, fields: &Fields, faults: &Faults) -> Markup {
    let most_urls = format!("One a line, at most {MOST_URLS}. A path will do.");
    html! {
        section.card id="try-out" aria-labelledby="try-head" {
            h2 id="try-head" { "Try it out" }
            p.note { "What the file says of a URL now, and what another text would say of it. Nothing is fetched, and nothing is saved." }
            (faults.summary())
            form.trial method="post" action=(domain_path(here.id(), Module::Robots.as_str())) {
                (here.user.token_field())
                (Field::new("urls", "URLs", &fields.urls).faults(faults)
                    .hint(&most_urls).area(3))
                (Field::new("user_agent", "Crawler", &fields.user_agent).max(LONGEST_USER_AGENT).faults(faults)
                    .hint("A name such as GPTBot, or * for those that no group names.").line())
                (Field::new("content", "Text", &fields.content).optional().faults(faults)
                    .hint("The file as it is. Change it to see what that would change.").area(12))
                div.actions { button type="submit" { "Try" } }
            }
        }
    }
}

/// Shows what both texts say of the URLs, and the faults of the proposed one.
fn results(current: &InForce, content: &str, agent: &str, urls: &[Url]) -> Markup {
    let proposed = InForce::proposed(content);
    let mut effort = Effort::default();
    let (mut of_current, mut of_proposed) = (Verdicts::new(current, urls), Verdicts::new(&proposed, urls));
    let now = of_current.to(agent, &mut effort);
    let then = of_proposed.to(agent, &mut effort);
    let (Ok(now), Ok(then)) = (now, then) else {
        return notice::hint(
            &html! { "The rules are written so that these URLs take too long. Try fewer of them." },
        );
    };
    let rows = urls.iter().zip(now.iter().zip(then)).map(|(url, (now, then))| {
        let change = match (now.is_allowed, then.is_allowed) {
            (true, false) => mark::state(Tone::Bad, "newly kept out"),
            (false, true) => mark::state(Tone::Good, "newly let in"),
            _ => html! { span.none { "as it was" } },
        };
        let address = html! { bdi { (shown(url.as_str())) } };
        vec![address, verdict(now), verdict(then), change]
    });
    let columns = ["URL", "Now", "With this text", "Change"].map(Column::text);
    let table = Table {
        caption: "What the file and the text say",
        columns: &columns,
        rows: rows.collect(),
    };
    let issues = &proposed.file().issues;
    html! {
        section aria-labelledby="tried-head" {
            h2 id="tried-head" { "What " bdi { (shown(agent)) } " may fetch" }
            (table.show(&html! {}))
            @if !issues.is_empty() {
                h3 { "What is wrong with this text" }
                ul.rows { @for issue in issues.iter().take(MOST_ISSUES) { li { (finding(issue)) } } }
                @if issues.len() > MOST_ISSUES {
                    p.note { "The first " (MOST_ISSUES) " of " (issues.len()) "." }
                }
            }
        }
    }
}

fn finding(issue: &Issue) -> Markup {
    html! {
        (severity(issue.code.severity())) " "
        @if let Some(line) = issue.line { "line " (line) ": " }
        (shown(&issue.message))
    }
}

fn verdict(verdict: &Verdict<'_>) -> Markup {
    let state = if verdict.is_allowed {
        mark::state(Tone::Good, "allowed")
    } else {
        mark::state(Tone::Bad, "kept out")
    };
    let why = match verdict.reason {
        AccessReason::RuleMatch => None,
        AccessReason::NoMatchDefault => Some("no rule speaks of it"),
        AccessReason::NoGroup => Some("no group speaks to it"),
        AccessReason::RobotsMissing => Some("there is no file"),
        AccessReason::RobotsUnreachable => Some("the file can’t be fetched"),
        AccessReason::AlwaysAllowed => Some("the robots.txt itself"),
    };
    html! {
        (state)
        span.note {
            @if let Some(rule) = verdict.rule { " " (rule_of(rule)) }
            @if let Some(why) = why { " " (why) }
        }
    }
}

fn rule_of(rule: &Rule) -> Markup {
    html! { "line " (rule.line) ": " code { bdi { (rule.kind.name()) " " (shown(&rule.path)) } } }
}
