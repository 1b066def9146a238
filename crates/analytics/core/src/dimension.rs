//! The dimensions by which sessions and hits are told apart.

/// A dimension whose values are texts from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dimension {
    /// The path of a page.
    Page,
    /// The name of a source.
    Source,
    /// `utm_medium`.
    Medium,
    /// `utm_campaign`.
    Campaign,
    /// `utm_term`.
    Term,
    /// `utm_content`.
    Content,
    /// The referrer's host.
    Referrer,
    /// Its path.
    ReferrerPath,
    /// The country, ISO 3166-1 alpha-2.
    Country,
    /// The region, ISO 3166-2.
    Region,
    /// The city.
    City,
    /// The browser's family.
    Browser,
    /// Its version.
    BrowserVersion,
    /// The operating system's family.
    Os,
    /// Its version.
    OsVersion,
    /// The screen's size, such as `1920x1080`.
    Screen,
    /// The name of an event.
    Event,
    /// The name of a property of events.
    Property,
    /// The value of a property.
    PropertyValue,
    /// Where a link or download leads.
    Link,
    /// The term of a search.
    SearchTerm,
    /// A product's id.
    Product,
    /// Its name.
    ProductName,
    /// Its category.
    ProductCategory,
    /// Its brand.
    ProductBrand,
    /// Its variant.
    ProductVariant,
}

/// The text that stands for the values of a dimension beyond [`MOST_NEW_VALUES`].
pub const OTHER: &str = "(other)";

/// How many values that were never seen before a site may bring to one dimension on a UTC day. All beyond are [`OTHER`], so
/// that a flood of made-up addresses grows no table without end.
pub const MOST_NEW_VALUES: u32 = 20_000;

/// The longest value that is kept, in bytes; of a longer one the beginning is.
pub const LONGEST_VALUE: usize = 1_500;
