//! The numbers that stand for texts in views and what they told.

use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::dictionary::{self, DictionaryBounds, DictionaryTable};
use pharos_vitals::texts::{LONGEST_TEXT, MOST_NEW_TEXTS, OTHER};
use time::Date;

/// The kinds of texts.
#[derive(Clone, Copy, Debug)]
#[repr(i16)]
pub(crate) enum Dimension {
    Page = 0,
    Referrer = 1,
    Browser = 2,
    BrowserVersion = 3,
    Os = 4,
    OsVersion = 5,
    Country = 6,
    Protocol = 7,
    Element = 8,
    ElementId = 9,
    ElementClass = 10,
    Resource = 11,
    Host = 12,
    Method = 13,
    Timing = 14,
    Function = 15,
    Invoker = 16,
    Reason = 17,
    ErrorKey = 18,
}

/// The tables of the dictionary.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Texts;

impl DictionaryTable for Texts {
    type Dimension = Dimension;

    const BOUNDS: DictionaryBounds = DictionaryBounds {
        longest: LONGEST_TEXT,
        most_new: MOST_NEW_TEXTS,
        other: OTHER,
        remembered: 32 << 20,
    };

    fn number(dimension: Dimension) -> i16 {
        dimension as i16
    }

    pharos_persistence::dictionary_table!(table: "rum_texts", counts: "rum_new_texts");
}

/// Gives numbers for texts.
pub(crate) trait Numbering {
    /// The number of a text on a day.
    fn number(&mut self, domain: DomainId, dimension: Dimension, text: &str, day: Date) -> i32;
}

/// The texts that a batch needs the numbers of. The numbers that it gives mean nothing.
pub(crate) type Wanted = dictionary::Wanted<Texts>;

impl Numbering for Wanted {
    fn number(&mut self, domain: DomainId, dimension: Dimension, text: &str, day: Date) -> i32 {
        self.add(domain, dimension, text, day);
        0
    }
}

/// The numbers of a batch's texts.
#[derive(Debug)]
pub(crate) struct Numbers {
    numbers: dictionary::Numbers<Texts>,
    /// Why one was not given that was asked for.
    lacking: Option<StoreError>,
}

impl Numbers {
    pub(crate) fn new(numbers: dictionary::Numbers<Texts>) -> Self {
        Self {
            numbers,
            lacking: None,
        }
    }

    /// Fails where a number was asked for that there is none of.
    pub(crate) fn checked(self) -> Result<(), StoreError> {
        self.lacking.map_or(Ok(()), Err)
    }
}

impl Numbering for Numbers {
    fn number(&mut self, domain: DomainId, dimension: Dimension, text: &str, _: Date) -> i32 {
        self.numbers.of(domain, dimension, text).unwrap_or_else(|error| {
            self.lacking = Some(error);
            0
        })
    }
}
