//! Where a page lies, and the ways on from it. It knows no page, since all know it.

use maud::{Markup, html};
use pharos_auth::oauth::store::ConsentWorkspace;
use pharos_domain::{ids::WorkspaceId, role::Role};

use crate::shown::shown;

/// Where notifications are, below the page of a workspace.
pub(crate) const NOTIFICATIONS: &str = "notifications";

/// A way on.
struct Way {
    /// The last part of its path, below the workspace or the domain.
    path: &'static str,
    label: &'static str,
    /// Who is shown it.
    least: Role,
}

const fn way(path: &'static str, label: &'static str, least: Role) -> Way {
    Way { path, label, least }
}

/// The pages of a workspace, below `/console/w/{workspace_id}`.
const OF_WORKSPACE: &[Way] = &[
    way("", "Overview", Role::Viewer),
    way(NOTIFICATIONS, "Notifications", Role::Viewer),
    way("status-pages", "Status pages", Role::Viewer),
    way("keys", "API keys", Role::Viewer),
    way("credits", "Plan and credits", Role::Viewer),
    way("members", "Members", Role::Viewer),
    way("refusals", "Refused requests", Role::Admin),
    way("jobs", "Jobs", Role::Admin),
    way("audit", "Audit trail", Role::Admin),
    way("settings", "Settings", Role::Admin),
];

/// The pages of the user.
const OF_USER: &[(&str, &str)] = &[
    ("/console/channels", "Alert channels"),
    ("/console/apps", "Connected apps"),
    ("/console/account", "Account"),
];

/// The pages of operators, beside those.
const OF_OPERATOR: &[(&str, &str)] = &[("/console/switches", "Switches")];

/// The place of a page: the workspaces of its reader, and which of them it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) workspaces: &'a [ConsentWorkspace],
    /// The workspace of the page, and the way that is the present one: the last part of its path.
    pub(crate) current: Option<(WorkspaceId, &'static str)>,
    /// How many of the newest notifications of the workspace its reader has not read; `None`: that is not said.
    pub(crate) unread: Option<u64>,
}

/// The page of a workspace: its overview, or another below it.
pub(crate) fn workspace_path(workspace: WorkspaceId, path: &str) -> String {
    join(&format!("/console/w/{workspace}"), path)
}

/// The page of a domain: its monitoring, or another below it.
pub(crate) fn domain_path(domain: impl std::fmt::Display, path: &str) -> String {
    join(&format!("/console/domains/{domain}"), path)
}

fn join(base: &str, path: &str) -> String {
    if path.is_empty() {
        base.to_owned()
    } else {
        format!("{base}/{path}")
    }
}

/// The ways from a page that is one of that title or lies below one: those of its workspace, and those of the user. Names of
/// workspaces and domains are no titles of the user's pages.
pub(crate) fn ways(place: Option<&Place<'_>>, title: &str, is_operator: bool) -> Markup {
    let workspace = place.and_then(|place| {
        let (id, path) = place.current?;
        let found = place.workspaces.iter().find(|workspace| workspace.id == id)?;
        Some((place, found, path))
    });
    let of_operator = if is_operator { OF_OPERATOR } else { &[] };
    let of_user = OF_USER.iter().chain(of_operator);
    html! {
        @if let Some((place, workspace, _)) = workspace { (switcher(place.workspaces, workspace)) }
        div.navs {
            @match workspace {
                Some((place, workspace, path)) => {
                    nav aria-label="Workspace" {
                        ul.ways {
                            @for way in OF_WORKSPACE.iter().filter(|way| workspace.role >= way.least) {
                                li { a href=(workspace_path(workspace.id, way.path)) aria-current=[(way.path == path).then_some("page")] {
                                    (way.label)
                                    @if way.path == NOTIFICATIONS { (count(place.unread)) }
                                } }
                            }
                        }
                    }
                }
                None => { nav aria-label="Workspaces" { ul.ways { li { a href="/console" { "Workspaces" } } } } }
            }
            nav aria-label="Yours" {
                ul.ways {
                    @for (path, label) in of_user {
                        li { a href=(path) aria-current=[(workspace.is_none() && *label == title).then_some("page")] { (label) } }
                    }
                }
            }
        }
    }
}

/// The number of notifications that are unread, where there are some.
fn count(unread: Option<u64>) -> Markup {
    let unread = unread.filter(|unread| *unread > 0);
    html! {
        @if let Some(unread) = unread { " " span.badge { (unread) span.aside { " unread" } } }
    }
}

fn switcher(all: &[ConsentWorkspace], current: &ConsentWorkspace) -> Markup {
    html! {
        @if all.len() < 2 {
            p.switcher { bdi { (shown(&current.name)) } }
        } @else {
            details.switcher.menu {
                summary { span.aside { "Workspace: " } bdi { (shown(&current.name)) } }
                ul {
                    @for workspace in all {
                        li {
                            a href=(workspace_path(workspace.id, "")) aria-current=[(workspace.id == current.id).then_some("true")] {
                                bdi { (shown(&workspace.name)) }
                            }
                        }
                    }
                }
            }
        }
    }
}
