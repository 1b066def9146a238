//! Rules that every operation of the document must keep: a rule a function, each with a name of its own.

mod examples;
mod operation;
mod problems;
mod schemas;
#[cfg(test)]
mod tests;
mod words;

use anyhow::Result;

use super::{
    document::{Document, Operation},
    fault::{Fault, Rule},
};

/// Everything that the document falls short in. An error means that it could not be looked at.
pub(crate) fn of(document: &Document) -> Result<Vec<Fault>> {
    let mut faults = schemas::broken_references(document);
    if !faults.is_empty() {
        // The other rules read through references, and would report this one fault many times.
        return Ok(faults);
    }
    for operation in document.operations() {
        for rule in operation::RULES {
            rule(&operation, &mut faults);
        }
        problems::missing(&operation, &mut faults);
    }
    operation::operation_id_not_unique(document, &mut faults);
    schemas::property_undescribed(document, &mut faults);
    schemas::null_unexplained(document, &mut faults);
    words::sentence_without_subject(document, &mut faults);
    examples::check(document, &mut faults)?;
    Ok(faults)
}

/// A rule over one operation.
type OperationRule = fn(&Operation<'_>, &mut Vec<Fault>);
