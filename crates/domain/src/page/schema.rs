//! The schemas of envelopes: their own members, and those that a list adds.

use std::borrow::Cow;

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr, Schema,
        schema::{AllOfBuilder, ArrayBuilder, Object, ObjectBuilder, Ref, SchemaType, Type},
    },
};

use super::{OffsetPage, Page, Plain, TotalName};

/// Written by hand, so that a page of `DomainSummary` is called `DomainSummaryPage`.
impl<T: ToSchema, X: ToSchema> PartialSchema for Page<T, X> {
    fn schema() -> RefOr<Schema> {
        let own = items::<T>()
            .property(
                "next_cursor",
                ObjectBuilder::new()
                    .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
                    .description(Some(
                        "Opaque. Pass it back verbatim as `cursor` for the next page; null on the last.",
                    )),
            )
            .required("next_cursor")
            .property(
                "has_more",
                ObjectBuilder::new()
                    .schema_type(Type::Boolean)
                    .description(Some("Whether there is a next page. Keep paging while true.")),
            )
            .required("has_more");
        with::<X>(own)
    }
}

impl<T: ToSchema, X: ToSchema> ToSchema for Page<T, X> {
    fn name() -> Cow<'static, str> {
        format!("{}Page", T::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        within::<T, X>(schemas);
    }
}

impl<T: ToSchema, N: TotalName, X: ToSchema> PartialSchema for OffsetPage<T, N, X> {
    fn schema() -> RefOr<Schema> {
        let count = |description: &str| {
            ObjectBuilder::new()
                .schema_type(Type::Integer)
                .minimum(Some(0))
                .description(Some(description.to_owned()))
        };
        let total = "How many items there are in all, to the last one";
        let total = match N::NULL {
            None => count(&format!("{total}.")),
            Some(why) => count(&format!("{total}; null {why}."))
                .schema_type(SchemaType::from_iter([Type::Integer, Type::Null])),
        };
        let own = items::<T>()
            .property(N::NAME, total)
            .required(N::NAME)
            .property(
                "limit",
                count("How many items a page has at most.").minimum(Some(1)),
            )
            .required("limit")
            .property("offset", count("How many items were skipped."))
            .required("offset");
        with::<X>(own)
    }
}

impl<T: ToSchema, N: TotalName, X: ToSchema> ToSchema for OffsetPage<T, N, X> {
    fn name() -> Cow<'static, str> {
        format!("{}Page", T::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        within::<T, X>(schemas);
    }
}

impl PartialSchema for Plain {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Object).into()
    }
}

impl ToSchema for Plain {}

fn items<T: ToSchema>() -> ObjectBuilder {
    let items = ArrayBuilder::new()
        .items(Ref::from_schema_name(T::name()))
        .description(Some("The items of this page, in the list's order."));
    ObjectBuilder::new().property("items", items).required("items")
}

/// The members of `X` beside those of the envelope.
fn with<X: ToSchema>(envelope: ObjectBuilder) -> RefOr<Schema> {
    let mut envelope: Object = envelope.build();
    match X::schema() {
        RefOr::T(Schema::Object(extra)) => {
            envelope.properties.extend(extra.properties);
            envelope.required.extend(extra.required);
            Schema::Object(envelope).into()
        }
        other => AllOfBuilder::new()
            .item(Schema::Object(envelope))
            .item(other)
            .into(),
    }
}

/// The schemas that the envelope refers to.
fn within<T: ToSchema, X: ToSchema>(schemas: &mut Vec<(String, RefOr<Schema>)>) {
    schemas.push((T::name().into_owned(), T::schema()));
    T::schemas(schemas);
    X::schemas(schemas);
}
