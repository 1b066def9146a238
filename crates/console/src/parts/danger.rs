//! Steps that can't be undone: they are folded away, say what they do, and ask for a word where much goes with them.

use maud::{Markup, html};

/// A form that does something grave.
pub(crate) struct Danger<'a> {
    /// The task, as the summary that unfolds the form says it: "Delete this domain".
    pub(crate) title: &'a str,
    /// The consequences, in a sentence.
    pub(crate) meaning: &'a str,
    /// Where the form goes, and the hidden fields that it takes along: the token among them.
    pub(crate) action: &'a str,
    pub(crate) hidden: Markup,
    /// The label of its button.
    pub(crate) button: &'a str,
    /// The text that must be typed to go on, in the field `confirm`; the handler holds it against the same text.
    pub(crate) typed: Option<&'a str>,
    /// The fault of the last attempt.
    pub(crate) fault: Option<&'a str>,
}

impl Danger<'_> {
    /// The form, folded unless something was wrong.
    pub(crate) fn show(&self) -> Markup {
        html! {
            details.danger open[self.fault.is_some()] {
                summary { (self.title) }
                p { (self.meaning) }
                form method="post" action=(self.action) {
                    (self.hidden)
                    @if let Some(typed) = self.typed {
                        div.field {
                            label for="confirm" { "Type " strong { bdi { (typed) } } " to go on" }
                            input id="confirm" name="confirm" required autocomplete="off" spellcheck="false"
                                aria-invalid=[self.fault.map(|_| "true")] aria-describedby=[self.fault.map(|_| "confirm-fault")];
                            @if let Some(fault) = self.fault { p.wrong id="confirm-fault" { (fault) } }
                        }
                    }
                    div.actions { button.danger type="submit" { (self.button) } }
                }
            }
        }
    }
}
