//! A country as a caller names it.

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr, Schema, SchemaFormat,
        schema::{ObjectBuilder, Type},
    },
};

use super::{FORMAT, SHOULD};

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
