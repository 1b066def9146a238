//! The parameters of windows and comparisons: their names, and how the document describes them.

use pharos_domain::window::{CompareMode, DEFAULT_DAYS, DEFAULT_PERIOD_DAYS, Period};
use utoipa::{
    PartialSchema,
    openapi::{
        KnownFormat, RefOr, Required, Schema, SchemaFormat,
        path::{Parameter, ParameterBuilder, ParameterIn},
        schema::{ObjectBuilder, Type},
    },
};

use crate::spec::{Compare, Window};

struct Described {
    name: &'static str,
    description: &'static str,
    schema: fn() -> RefOr<Schema>,
}

const PERIOD_DAYS: Described = Described {
    name: "period_days",
    description: "How many days, the last one included. start_date and period override it.",
    schema: || count(365, DEFAULT_PERIOD_DAYS),
};
const PERIOD_DAYS_ALONE: Described = Described {
    description: "How many days, the last one included.",
    ..PERIOD_DAYS
};
const START_DATE: Described = Described {
    name: "start_date",
    description: "The first day, UTC, not after today. Days that are no longer kept are cut off; meta.clamped_from says so.",
    schema: day,
};
const END_DATE: Described = Described {
    name: "end_date",
    description: "The last day, UTC, inclusive. Left out: today, of search performance two days ago unless \
                  start_date is later. A day after today is taken as today.",
    schema: day,
};
const PERIOD: Described = Described {
    name: "period",
    description: "The days by name, as they are today. Not beside start_date or end_date. Weeks begin on Monday; \
                  last_week and last_month are complete, the others end today.",
    schema: Period::schema,
};
const DAYS: Described = Described {
    name: "days",
    description: "How many days, today included.",
    schema: || count(30, DEFAULT_DAYS),
};
const COMPARE_PREVIOUS: Described = Described {
    name: "compare_previous",
    description: "Whether the answer shows the figures, and the days, that it compares with.",
    schema: || {
        ObjectBuilder::new()
            .schema_type(Type::Boolean)
            .default(Some(false.into()))
            .into()
    },
};
const COMPARE_MODE: Described = Described {
    name: "compare_mode",
    description: "With which days, where compare_previous is true: as many right before, or the same days of the \
                  month before, cut to its length. Left out: calendar_month where period is this_month or \
                  last_month, else previous_period.",
    schema: CompareMode::schema,
};

fn described(window: Window, compare: Compare) -> impl Iterator<Item = &'static Described> {
    let window: &[&Described] = match window {
        Window::None | Window::Fixed => &[],
        Window::Full => &[&PERIOD_DAYS, &START_DATE, &END_DATE, &PERIOD],
        Window::Dates => &[&START_DATE, &END_DATE],
        Window::PeriodDays => &[&PERIOD_DAYS_ALONE],
        Window::Days => &[&DAYS],
    };
    let compare: &[&Described] = match compare {
        Compare::None => &[],
        Compare::Previous => &[&COMPARE_PREVIOUS],
        Compare::Mode => &[&COMPARE_PREVIOUS, &COMPARE_MODE],
    };
    window.iter().chain(compare).copied()
}

/// The names of the parameters of an operation that declares this window and this comparison.
pub(super) fn names(window: Window, compare: Compare) -> impl Iterator<Item = &'static str> {
    described(window, compare).map(|parameter| parameter.name)
}

/// The same, as the document describes them.
pub(super) fn parameters(window: Window, compare: Compare) -> impl Iterator<Item = Parameter> {
    described(window, compare).map(|parameter| {
        ParameterBuilder::new()
            .name(parameter.name)
            .parameter_in(ParameterIn::Query)
            .required(Required::False)
            .description(Some(parameter.description))
            .schema(Some((parameter.schema)()))
            .build()
    })
}

fn count(most: u16, default: u16) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(1))
        .maximum(Some(most))
        .default(Some(default.into()))
        .into()
}

fn day() -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Date)))
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_parameter_is_described_by_one_that_its_operation_refuses() {
        for window in [Window::Full, Window::Dates, Window::PeriodDays, Window::Days] {
            let known: Vec<&str> = names(window, Compare::None).collect();
            for parameter in described(window, Compare::None) {
                for other in [PERIOD_DAYS.name, START_DATE.name, END_DATE.name] {
                    let is_named = parameter.description.contains(other);
                    assert!(!is_named || known.contains(&other), "{}: {other}", parameter.name);
                }
            }
        }
    }
}
