//! The properties of an event.

use pharos_domain::{window::DateRange, wire_enum};
use time::OffsetDateTime;

use crate::filter::Filters;

/// The most properties of an event that are listed.
pub const MOST_PROPERTIES: u32 = 100;
/// The most values of a property that are listed.
pub const MOST_VALUES: u32 = 100;

/// The question.
#[derive(Clone, Copy, Debug)]
pub struct PropertiesQuery<'a> {
    /// The days that the events are of.
    pub window: DateRange,
    /// Which sessions.
    pub filters: &'a Filters,
    /// The name of the event.
    pub event: &'a str,
    /// Only this property.
    pub property: Option<&'a str>,
}

wire_enum! {
    /// The types of a property's values.
    PropertyType {
        /// Texts.
        Text = "string",
        /// NumberFigures.
        Number = "number",
        /// Yes or no.
        Flag = "boolean",
        /// Several of these.
        Mixed = "mixed",
    }
}

/// The figures of the numbers among a property's values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberFigures {
    /// The least of the numbers.
    pub min: f64,
    /// The greatest of the numbers.
    pub max: f64,
    /// The mean.
    pub avg: f64,
    /// The sum.
    pub sum: f64,
}

/// A value of a property, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueFigures {
    /// The value, as the site sends it.
    pub value: String,
    /// How often it was told.
    pub count: u64,
    /// The visitors for whom it was: of each UTC day those that are distinct, added up.
    pub visitors: u64,
}

/// A property of an event.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// The name, as the site sends it.
    pub name: String,
    /// The type of its values.
    pub kind: PropertyType,
    /// The figures of the numbers among them; `None` without any.
    pub numbers: Option<NumberFigures>,
    /// The values that were told most often, those first.
    pub values: Vec<ValueFigures>,
    /// How many there are in all.
    pub distinct_values: u64,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Properties {
    /// The properties that were told most often, those first.
    pub properties: Vec<Property>,
    /// How many there are in all.
    pub total: u64,
    /// The visitors of the window that fit the filters.
    pub visitors: u64,
    /// The newest moment of which anything was received; `None`: nothing ever was.
    pub last_at: Option<OffsetDateTime>,
}
