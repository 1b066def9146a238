//! Fields that are missing, too long, or written by somebody who means harm; forms that are sent twice at once.

use super::{
    forms::forms,
    table::{FormRow, Sent},
};
use crate::console::{
    browser::{Browser, Page},
    stage::{Stage, is_before_sign_in},
};

/// Markup that does something, should it ever stand on a page as it is.
const MARKUP: &str = "<script>alert(1)</script><b onclick=\"x\">'&";

/// The harm that is done to a field.
#[derive(Clone, Copy, Debug)]
enum Harm {
    Missing,
    Long,
    Markup,
    Nul,
}

impl Harm {
    const ALL: [Self; 4] = [Self::Missing, Self::Long, Self::Markup, Self::Nul];

    /// The value; `None`: the field is not sent.
    fn value(self) -> Option<String> {
        match self {
            Self::Missing => None,
            Self::Long => Some("x".repeat(10 * 1024)),
            Self::Markup => Some(MARKUP.to_owned()),
            Self::Nul => Some("a\0b".to_owned()),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_is_missing_too_long_or_hostile_breaks_nothing_and_is_told() {
    let mut stage = Stage::set().await;
    for row in forms() {
        for harmed in row.fields {
            for harm in Harm::ALL {
                let mut browser = reader(&stage, row);
                let fields = harmed_fields(&stage, &mut browser, row, (harmed.name(), harm)).await;
                let fields: Vec<(&str, &str)> = fields
                    .iter()
                    .map(|(name, value)| (*name, value.as_str()))
                    .collect();
                let to = stage.fill(row.to);
                let page = browser.submit(&to, &fields).await;
                let about = format!("{harm:?} {} of {to}", harmed.name());
                is_told(&page, row, harmed, (to.as_str(), about.as_str()));
                if page.0.status == 303 {
                    let location = page.location();
                    let next = browser.get(&location).await;
                    assert!(next.0.status < 500, "{about}: {location}: {}", next.text());
                    is_escaped(&next, &about);
                }
            }
        }
    }
    // Whatever of it was taken shows on pages as text.
    for path in ["", "/status-pages", "/keys", "/members", "/audit", "/settings"] {
        let page = stage.read(&format!("/console/w/{{workspace_id}}{path}")).await;
        assert_eq!(page.0.status, 200, "{path}: {}", page.text());
        is_escaped(&page, path);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_two_tabs_send_at_once_is_done_or_told_in_each() {
    let stage = Stage::set().await;
    // Nothing is left to be sent after signing out, and nothing is done once writes are turned off.
    for row in forms().filter(|row| !["/console/sign-out", "/console/switches"].contains(&row.to)) {
        let mut tab = reader(&stage, row);
        // No field has that name, so none is harmed.
        let fields = harmed_fields(&stage, &mut tab, row, ("", Harm::Missing)).await;
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let (to, mut other) = (stage.fill(row.to), tab.clone());
        let (one, two) = tokio::join!(tab.submit(&to, &fields), other.submit(&to, &fields));
        for page in [one, two] {
            let (status, text) = (page.0.status, page.text());
            assert!(status < 500, "{to}: {status} {text}");
            assert!(
                [200, 303].contains(&status) || text.contains("<p"),
                "{to}: {status} {text}"
            );
        }
    }
    let keys = "SELECT count(*) FROM api_keys WHERE name = 'Deployments'";
    let keys = stage.app.sql(keys).await;
    assert_eq!(keys[0][0].as_deref(), Some("1"), "a double click makes one key");
}

/// The browser of somebody who fills in the form.
fn reader(stage: &Stage, row: &FormRow) -> Browser {
    if is_before_sign_in(&stage.fill(row.to)) {
        stage.app.browser()
    } else {
        stage.owner.clone()
    }
}

/// The fields of a form in order, but for one. The page is loaded before, so that the browser has what it fills.
async fn harmed_fields(
    stage: &Stage,
    browser: &mut Browser,
    row: &FormRow,
    (harmed, harm): (&str, Harm),
) -> Vec<(&'static str, String)> {
    let path = match row.page {
        "" if is_before_sign_in(&stage.fill(row.to)) => "/console/sign-in",
        "" => "/console/apps",
        page => page,
    };
    let page = browser.get(&stage.fill(path)).await;
    let fields = row.fields.iter().filter_map(|field| {
        let value = match *field {
            Sent::Typed(_, value) | Sent::Chosen(_, value) => stage.fill(value),
            Sent::Kept(name) => page.hidden(name).expect("a field that the page fills"),
        };
        let value = if field.name() == harmed {
            harm.value()?
        } else {
            value
        };
        Some((field.name(), value))
    });
    fields.collect()
}

/// How a page says that something is wrong: above the form, or at the one field of a step that can't be undone.
const TOLD: [&str; 2] = ["role=\"alert\"", "class=\"wrong\""];

/// Asserts that a form was done, or is shown again with what is wrong, or refused in a sentence where no browser of ours sends
/// such a thing.
#[track_caller]
fn is_told(page: &Page, row: &FormRow, harmed: &Sent, (to, about): (&str, &str)) {
    let (status, text) = (page.0.status, page.text());
    assert!(status < 500, "{about}: {status} {text}");
    if status == 303 {
        return;
    }
    is_escaped(page, about);
    if status == 200 {
        return;
    }
    let is_typed = matches!(harmed, Sent::Typed(..));
    let is_said = if is_typed && status == 400 && !row.is_framed {
        TOLD.iter().any(|mark| text.contains(mark))
    } else {
        text.contains("<p")
    };
    assert!(is_said, "{about}: {status} without what is wrong: {text}");
    let has_form = row.is_framed || page.forms().iter().any(|form| form.action == to);
    // Who asks too often is told so, and need not see the form.
    if is_typed && status != 429 {
        assert!(has_form, "{about}: {status} without the form: {text}");
    }
}

#[track_caller]
fn is_escaped(page: &Page, about: &str) {
    let text = page.text();
    for markup in ["<script>alert", "<b onclick"] {
        assert!(!text.contains(markup), "{about}: {markup} in {text}");
    }
}
