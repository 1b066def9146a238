//! Schemas with bounds that no type of Rust has. Their constants are those that the rules read.

use std::ops::RangeInclusive;

use utoipa::openapi::schema::{ObjectBuilder, Type};

/// Declares schemas: a name that a field's `value_type` refers to, a description, and the values that are taken.
#[macro_export]
macro_rules! schemas {
    ($($(#[doc = $description:literal])+ $name:ident = $schema:expr;)+) => {$(
        $(#[doc = $description])+
        #[derive(Debug)]
        pub(crate) enum $name {}

        impl ::utoipa::PartialSchema for $name {
            fn schema() -> ::utoipa::openapi::RefOr<::utoipa::openapi::Schema> {
                $schema.description(Some(concat!($($description),+).trim_ascii())).into()
            }
        }

        impl ::utoipa::ToSchema for $name {}
    )+};
}

/// A text, to which bounds can be added.
#[must_use]
pub fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

/// A whole number within bounds.
#[must_use]
pub fn whole(bounds: RangeInclusive<u32>) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(*bounds.start()))
        .maximum(Some(*bounds.end()))
}
