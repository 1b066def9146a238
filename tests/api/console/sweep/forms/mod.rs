//! Every form of the console, its fields, and who may send it.

mod domains;
mod people;

use super::table::FormRow;

/// The forms by their routes; a form of several steps has a row for each that has fields of its own.
pub(super) fn forms() -> impl Iterator<Item = &'static FormRow> {
    people::FORMS.iter().chain(domains::FORMS)
}
