//! Schemas with bounds that no type of Rust has. Their constants are those that the rules read.

use std::{fmt::Display, ops::RangeInclusive};

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

/// Declares the schemas of parameters that name some of the values that there are, with commas between, as `metrics` does. The values
/// are read by [`listed`](crate::extract::query::listed). Lists of younger parameters are repeated instead.
#[macro_export]
macro_rules! name_lists {
    ($($(#[$meta:meta])+ $name:ident = $known:expr;)+) => {$(
        $(#[$meta])+
        #[derive(Debug)]
        pub(crate) enum $name {}

        impl ::utoipa::PartialSchema for $name {
            fn schema() -> ::utoipa::openapi::RefOr<::utoipa::openapi::Schema> {
                $crate::openapi::bounds::names($known).into()
            }
        }

        impl ::utoipa::ToSchema for $name {}
    )+};
}

/// A text that names some of those `known`. Its description is also what a caller is told whose text does not.
#[must_use]
pub fn names<T: Display>(known: &[T]) -> ObjectBuilder {
    let known: Vec<String> = known.iter().map(ToString::to_string).collect();
    let any = known.join("|");
    text()
        .pattern(Some(format!("^({any})(,({any}))*$")))
        .description(Some(format!(
            "a list of these with commas between, without spaces: {}",
            known.join(", ")
        )))
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
