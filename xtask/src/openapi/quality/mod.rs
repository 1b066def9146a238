//! What every operation of the document must have: a rule a function, each with a name of its own.

mod examples;
mod operation;
mod problems;
mod schemas;
#[cfg(test)]
mod tests;

use anyhow::Result;

use super::{
    document::{Document, Operation},
    fault::{Fault, rules},
};

rules! {
    /// Every way to fall short.
    SummaryMissing = "summary-missing",
    TagNotOne = "tag-not-one",
    OperationIdNotUnique = "operation-id-not-unique",
    ParameterUndescribed = "parameter-undescribed",
    ParameterWithoutSchema = "parameter-without-schema",
    ExtensionMissing = "extension-missing",
    SuccessWithoutSchema = "success-without-schema",
    ExampleMissing = "example-missing",
    ExampleMisfits = "example-misfits",
    ProblemMissing = "problem-missing",
    PropertyUndescribed = "property-undescribed",
    ReferenceBroken = "reference-broken",
}

/// Everything that the document falls short in. An error means that it could not be looked at.
pub(crate) fn of(document: &Document) -> Result<Vec<Fault<Rule>>> {
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
    examples::check(document, &mut faults)?;
    Ok(faults)
}

/// A rule over one operation.
type OperationRule = fn(&Operation<'_>, &mut Vec<Fault<Rule>>);
