//! A country as a caller names it.

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr, Schema, SchemaFormat,
        schema::{ObjectBuilder, Type},
    },
};

/// The format of a text that is a country. The service checks it: which pairs of letters are countries no pattern says.
pub const FORMAT: &str = "country";

/// The words for what a country should be.
pub const SHOULD: &str = "two letters of ISO 3166-1, such as US";

/// The schema of a country, in upper or lower case.
#[derive(Debug)]
pub enum CountryCode {}

impl PartialSchema for CountryCode {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::Custom(FORMAT.to_owned())))
            .pattern(Some("^[A-Za-z]{2}$"))
            .description(Some(SHOULD))
            .into()
    }
}

impl ToSchema for CountryCode {}
