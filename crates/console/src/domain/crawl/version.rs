//! A version of the robots.txt: its lines beside those of the version before it, and whom the change concerns.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_crawl::robots::{
    change::{DiffLine, LineOp, diff},
    issue::Issue,
    monitor::site::{StoredAccessChange, VersionDetail},
};
use pharos_domain::{ids::RobotsVersionId, module::Module, role::Role};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::{robots::beginning, severity};
use crate::{
    console::Console,
    domain::{frame, named},
    nav::domain_path,
    page::moment,
    parts::mark::{self, Tone},
    refusal::Refusal,
    shown::shown,
};

/// How many lines are shown. The API has all.
const MOST_LINES: usize = 200;
/// How many lines that are the same stand before and after each that is not.
const AROUND: usize = 3;
/// How many findings are shown.
const MOST_ISSUES: usize = 20;

/// Where the page of a version lies below a domain.
pub(super) fn path(id: Uuid) -> String {
    format!("robots/versions/{}", RobotsVersionId(id))
}

/// GET /console/domains/{domain_id}/robots/versions/{version_id}
pub(crate) async fn show(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (domain, id) = path.into_inner();
    let here = console.at_domain(&request, &domain, Role::Viewer).await?;
    here.needs(Module::Robots)?;
    let id: RobotsVersionId = id.parse().map_err(|_| Refusal::NoPage)?;
    let domain = named(&console, &here).await?;
    let found = console.parts.crawl.robots.version(&here.access, id.0).await?;
    let detail = found.ok_or(Refusal::NoPage)?;
    let permit = console.page_permits.turn(here.workspace()).await?;
    // Two large files take a while to compare, in which this thread would answer nobody.
    let content = spawn_blocking(move || {
        // Whoever hangs up does not end this.
        let _permit = permit;
        content(&detail)
    });
    let content = content.await.map_err(|_| Refusal::Internal)?;
    let module = Module::Robots.as_str();
    let page = frame(&here, "A version of the robots.txt", module)
        .below(domain_path(here.id(), ""), domain.title)
        .below(domain_path(here.id(), module), "robots.txt");
    Ok(page.with(&content))
}

fn content(detail: &VersionDetail) -> Markup {
    let version = &detail.version;
    let text = |content: &Option<Vec<u8>>| -> String {
        let bytes = content.as_deref().unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    };
    let (before, after) = (text(&detail.previous_content), text(&detail.content));
    let lines = diff(&before, &after);
    html! {
        p {
            "Found " (moment(version.detected_at)) ": " (shown(&version.change_summary)) "."
            @if let Some(replaced_at) = version.replaced_at { " Another took its place " (moment(replaced_at)) "." }
        }
        @if detail.content.is_none() { p { "There was no file then: the server answered " (version.status_code) "." } }
        (access(&detail.access_changes))
        (difference(&lines))
        (findings("added-head", "Findings that were new", &detail.issues_added))
        (findings("resolved-head", "Findings that were gone", &detail.issues_resolved))
    }
}

/// Crawlers that lost or gained the root.
fn access(changes: &[StoredAccessChange]) -> Markup {
    html! {
        @if !changes.is_empty() {
            section.card aria-labelledby="access-head" {
                h2 id="access-head" { "Who lost or gained the site" }
                ul.rows {
                    @for change in changes {
                        li {
                            @if change.is_allowed { (mark::state(Tone::Good, "may fetch it again")) }
                            @else { (mark::state(Tone::Bad, "may no longer fetch it")) }
                            " "
                            @if change.user_agent_token == "*" { "every other crawler" } @else { (shown(&change.user_agent_token)) }
                        }
                    }
                }
            }
        }
    }
}

fn difference(lines: &[DiffLine]) -> Markup {
    let near = near(lines);
    html! {
        section.card aria-labelledby="difference-head" {
            h2 id="difference-head" { "What changed, line by line" }
            p.note { "+ stands before lines that were new, − before lines that were gone." }
            div.file role="region" aria-label="The difference" tabindex="0" { ol {
                @for line in near.iter().take(MOST_LINES) {
                    @match line {
                        Some(line) => (one(line)),
                        None => li { span.number { "…" } div {} },
                    }
                }
            } }
            @if near.len() > MOST_LINES {
                p.note { "The first " (MOST_LINES) " of " (near.len()) " lines. The API has all of them." }
            }
        }
    }
}

fn one(line: &DiffLine) -> Markup {
    let (class, sign, number) = match line.op {
        LineOp::Equal => (None, "", line.line_after),
        LineOp::Added => (Some("added"), "+ ", line.line_after),
        LineOp::Removed => (Some("removed"), "− ", line.line_before),
    };
    html! {
        li class=[class] {
            span.number { (sign) @if let Some(number) = number { (number) } }
            div { code { bdi { (beginning(line.text.as_bytes())) } } }
        }
    }
}

/// The lines that differ, with those around them; `None` stands for others.
fn near(lines: &[DiffLine]) -> Vec<Option<&DiffLine>> {
    let mut is_near = vec![false; lines.len()];
    for (at, line) in lines.iter().enumerate() {
        if line.op != LineOp::Equal {
            let end = lines.len().min(at + AROUND + 1);
            is_near[at.saturating_sub(AROUND)..end].fill(true);
        }
    }
    let mut near: Vec<Option<&DiffLine>> = Vec::new();
    for (line, is_near) in lines.iter().zip(is_near) {
        if is_near {
            near.push(Some(line));
        } else if !matches!(near.last(), Some(None)) {
            near.push(None);
        }
    }
    near
}

fn findings(id: &str, title: &str, issues: &[Issue]) -> Markup {
    html! {
        @if !issues.is_empty() {
            section.card aria-labelledby=(id) {
                h2 id=(id) { (title) }
                ul.rows {
                    @for issue in issues.iter().take(MOST_ISSUES) {
                        li {
                            (severity(issue.code.severity())) " " (shown(&issue.message))
                            @if let Some(excerpt) = &issue.excerpt { " " code { bdi { (shown(excerpt)) } } }
                        }
                    }
                }
                @if issues.len() > MOST_ISSUES {
                    p.note { "The first " (MOST_ISSUES) " of " (issues.len()) ". The API has all of them." }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_far_from_a_change_are_left_out() {
        let before: String = (1..=20).map(|number| format!("# {number}\n")).collect();
        let after = before.replace("# 10\n", "# ten\n");
        let lines = diff(&before, &after);
        let told: Vec<&str> = near(&lines)
            .iter()
            .map(|line| line.map_or("…", |line| line.text.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                "…", "# 7", "# 8", "# 9", "# 10", "# ten", "# 11", "# 12", "# 13", "…"
            ]
        );
        assert!(near(&diff(&before, &before)).iter().all(Option::is_none));
    }
}
