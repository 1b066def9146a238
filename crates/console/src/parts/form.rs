//! Forms: fields with hints, and what is wrong with each, said at the field and above the form.

use actix_web::http::StatusCode;
use maud::{Markup, html};
use pharos_auth::secret::SecretDigest;
use pharos_domain::{hex::hex, settings::SettingFault};

use crate::{page, sentence::sentence};

/// The field that says which state people saw, and the one that is at fault where there is another by now.
pub(crate) const SEEN: &str = "seen";

/// The state that the texts of a form's fields tell, for [`SEEN`].
pub(crate) fn state<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let texts: Vec<&str> = texts.into_iter().collect();
    hex(&SecretDigest::of(&texts.join("\0")).0)
}

/// The fault of a form that was filled from another state.
const CHANGED: &str = "This was changed meanwhile; load the page again and look at it.";

/// Says so where a form was filled from another state than there is now: it would undo what somebody else changed. Programs that
/// send no state overwrite what there is.
pub(crate) fn unlike(seen: &str, present: &str) -> Option<Faults> {
    (!seen.is_empty() && seen != present).then(|| {
        let mut faults = Faults::default();
        faults.add(SEEN, CHANGED);
        faults
    })
}

/// The same for the store that makes the change: nobody else changes the state between this and the change.
pub(crate) fn as_seen(seen: &str, present: &str) -> Result<(), Vec<SettingFault>> {
    match unlike(seen, present) {
        Some(_) => Err(outdated()),
        None => Ok(()),
    }
}

/// The fault of a form of which a store knows that what it was filled from has changed since.
pub(crate) fn outdated() -> Vec<SettingFault> {
    vec![SettingFault::new(format!("/{SEEN}"), CHANGED)]
}

/// Faults of settings, each with the field of the same name.
pub(crate) fn at_fields(found: Vec<SettingFault>) -> impl Iterator<Item = (String, String)> {
    found.into_iter().map(|fault| {
        let field = fault.pointer.trim_start_matches('/');
        let field = field.split('/').next().unwrap_or_default().to_owned();
        (field, fault.detail)
    })
}

/// The faults of a form: each is a field and a reason, in the order of the fields. Whatever the reason is written as, the form says it
/// as a sentence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults(Vec<Fault>);

#[derive(Clone, Debug)]
struct Fault {
    field: String,
    /// The reason at the field, whose label stands above it.
    why: String,
    /// The same in a list.
    listed: String,
}

impl Faults {
    /// Adds one.
    pub(crate) fn add(&mut self, field: impl Into<String>, why: impl Into<String>) {
        let why = why.into();
        self.add_labelled(field, &why, &why);
    }

    /// Adds one that is told in other words at its field, below its label, than in a list.
    pub(crate) fn add_labelled(&mut self, field: impl Into<String>, why: &str, listed: &str) {
        self.0.push(Fault {
            field: field.into(),
            why: sentence(why),
            listed: sentence(listed),
        });
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether something is wrong with a field whose name is one of these.
    pub(crate) fn has(&self, is_one: impl Fn(&str) -> bool) -> bool {
        self.0.iter().any(|fault| is_one(&fault.field))
    }

    /// All that is wrong.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|fault| fault.listed.as_str())
    }

    /// The fault of a field, as it is told there.
    pub(crate) fn of(&self, field: &str) -> Option<&str> {
        let mut found = self.0.iter().filter(|fault| fault.field == field);
        found.next().map(|fault| fault.why.as_str())
    }

    /// All of them as a text, for a page that has not their fields.
    pub(crate) fn in_words(&self) -> String {
        let all: Vec<&str> = self.all().collect();
        all.join(" ")
    }

    /// The status of the page with the form.
    pub(crate) fn status(&self) -> StatusCode {
        if self.is_empty() {
            StatusCode::OK
        } else {
            StatusCode::BAD_REQUEST
        }
    }

    /// Above the form: that somebody else changed it meanwhile, or else all of them, each a link to its field.
    pub(crate) fn summary(&self) -> Markup {
        html! {
            @if let Some(why) = self.of(SEEN) {
                (page::fault(Some(why)))
            } @else if !self.is_empty() {
                div.fault role="alert" {
                    p { "Nothing was saved yet. Change this, and send it again:" }
                    ul { @for fault in &self.0 { li { a href={ "#" (fault.field) } { (fault.listed) } } } }
                }
            }
        }
    }
}

/// A field: a line of text, a choice or a box. Its id is its name.
pub(crate) struct Field<'a> {
    name: &'a str,
    label: &'a str,
    hint: Option<&'a str>,
    fault: Option<&'a str>,
    value: &'a str,
    kind: &'a str,
    is_required: bool,
    max: Option<u32>,
    placeholder: Option<&'a str>,
    autocomplete: &'a str,
}

impl<'a> Field<'a> {
    /// A line of text.
    pub(crate) fn new(name: &'a str, label: &'a str, value: &'a str) -> Self {
        Self {
            name,
            label,
            hint: None,
            fault: None,
            value,
            kind: "text",
            is_required: true,
            max: None,
            placeholder: None,
            autocomplete: "off",
        }
    }

    /// The same with another type of `<input>`, such as `email`.
    pub(crate) fn kind(self, kind: &'a str) -> Self {
        Self { kind, ..self }
    }

    /// The same with a hint below the label.
    pub(crate) fn hint(self, hint: &'a str) -> Self {
        Self {
            hint: Some(hint),
            ..self
        }
    }

    /// The same with what is wrong with it.
    pub(crate) fn faults(self, faults: &'a Faults) -> Self {
        let fault = faults.of(self.name);
        Self { fault, ..self }
    }

    /// The same, which may be left empty.
    pub(crate) fn optional(self) -> Self {
        Self {
            is_required: false,
            ..self
        }
    }

    /// The same with at most so many characters.
    pub(crate) fn max(self, max: u32) -> Self {
        Self {
            max: Some(max),
            ..self
        }
    }

    /// The same with an example in the empty field.
    pub(crate) fn placeholder(self, placeholder: &'a str) -> Self {
        Self {
            placeholder: Some(placeholder),
            ..self
        }
    }

    /// The same that a browser may fill in, such as `email`.
    pub(crate) fn autocomplete(self, autocomplete: &'a str) -> Self {
        Self { autocomplete, ..self }
    }

    /// A line.
    pub(crate) fn line(&self) -> Markup {
        self.around(&html! {
            input id=(self.name) name=(self.name) type=(self.kind) value=(self.value) maxlength=[self.max]
                placeholder=[self.placeholder] required[self.is_required] autocomplete=(self.autocomplete)
                aria-invalid=[self.fault.map(|_| "true")] aria-describedby=[self.described()];
        })
    }

    /// Several lines.
    pub(crate) fn area(&self, rows: u8) -> Markup {
        self.around(&html! {
            textarea id=(self.name) name=(self.name) rows=(rows) maxlength=[self.max] placeholder=[self.placeholder]
                required[self.is_required] aria-invalid=[self.fault.map(|_| "true")]
                aria-describedby=[self.described()] { (self.value) }
        })
    }

    /// A choice of several: what is sent, and what is shown.
    pub(crate) fn select<'o>(&self, options: impl IntoIterator<Item = (&'o str, &'o str)>) -> Markup {
        self.around(&html! {
            select id=(self.name) name=(self.name) aria-invalid=[self.fault.map(|_| "true")]
                aria-describedby=[self.described()] {
                @for (value, text) in options {
                    option value=(value) selected[value == self.value] { (text) }
                }
            }
        })
    }

    fn around(&self, control: &Markup) -> Markup {
        html! {
            div.field {
                label for=(self.name) {
                    (self.label) @if !self.is_required { span.note { " (optional)" } }
                }
                @if let Some(hint) = self.hint { p.hint id={ (self.name) "-hint" } { (hint) } }
                (control)
                @if let Some(fault) = self.fault { p.wrong id={ (self.name) "-fault" } { (fault) } }
            }
        }
    }

    fn described(&self) -> Option<String> {
        match (self.hint, self.fault) {
            (None, None) => None,
            (Some(_), None) => Some(format!("{}-hint", self.name)),
            (None, Some(_)) => Some(format!("{}-fault", self.name)),
            (Some(_), Some(_)) => Some(format!("{0}-hint {0}-fault", self.name)),
        }
    }
}

/// A box to tick. Its id is the only one of the page; several may have one name.
pub(crate) fn tick(id: &str, name: &str, value: &str, label: &Markup, is_ticked: bool) -> Markup {
    html! {
        div.box {
            input type="checkbox" id=(id) name=(name) value=(value) checked[is_ticked];
            label for=(id) { (label) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_a_sentence() {
        let mut faults = Faults::default();
        faults.add("name", "the name has 1 to 100 characters");
        faults.add_labelled("limit", "a number, such as 2", "Limit: a number, such as 2");
        faults.add("url", "This is no URL.".to_owned());
        assert_eq!(faults.of("name"), Some("The name has 1 to 100 characters."));
        assert_eq!(faults.of("limit"), Some("A number, such as 2."));
        assert_eq!(
            faults.in_words(),
            "The name has 1 to 100 characters. Limit: a number, such as 2. This is no URL."
        );
    }
}
