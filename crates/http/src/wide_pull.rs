//! The payloads of wide pulls: the parameters of reports, their columns and rows.

use std::marker::PhantomData;

use pharos_domain::{
    page::TotalName,
    problem::Suffix,
    timestamp::Timestamp,
    wide_pull::{Cell, Column, ColumnKind, Family, ParameterKind, Report, WidePull},
};
use serde::{Serialize, Serializer, ser::SerializeMap};
use time::{Duration, OffsetDateTime};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr, Schema,
        schema::{AdditionalProperties, ObjectBuilder, SchemaType, Type},
    },
};

use crate::{
    kept::{Cacheable, Keep},
    payload::Example,
    problem::Problem,
    run::with_result,
    spec::OperationSpec,
};

/// A member that the body of a run may have.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReportParameter)]
pub struct ReportParameterPublic {
    /// The member's name.
    pub name: &'static str,
    /// The type of its value.
    #[serde(rename = "type")]
    pub kind: ParameterKind,
    /// Whether a run needs it.
    pub required: bool,
    /// Its value where it is left out; null: it then says nothing.
    #[schema(required)]
    pub default: Option<&'static str>,
    /// The values that it may have; null: any of its type.
    #[schema(required)]
    pub r#enum: Option<Vec<&'static str>>,
}

impl ReportParameterPublic {
    /// A parameter that may be left out, and then says nothing.
    #[must_use]
    pub const fn optional(name: &'static str, kind: ParameterKind) -> Self {
        Self {
            name,
            kind,
            required: false,
            default: None,
            r#enum: None,
        }
    }

    /// The same with these values alone.
    #[must_use]
    pub fn one_of(self, values: Vec<&'static str>) -> Self {
        Self {
            r#enum: Some(values),
            ..self
        }
    }
}

/// A column of a report, as the rows of a run tell it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReportColumn)]
pub struct ReportColumnPublic {
    /// Its name: a member of every row.
    name: &'static str,
    /// The type of its values; any may be null.
    #[serde(rename = "type")]
    kind: ColumnKind,
    /// The unit of its values; `currency`: that of the domain's settings. Null: it has none.
    #[schema(required)]
    unit: Option<&'static str>,
}

/// The columns of a report, as the rows of a run tell them.
#[must_use]
pub fn columns(report: &Report) -> Vec<ReportColumnPublic> {
    let told = |column: &Column| {
        let Column { name, kind, unit } = *column;
        ReportColumnPublic { name, kind, unit }
    };
    report.columns().map(told).collect()
}

/// The names of columns.
#[must_use]
pub fn names(columns: &[Column]) -> Vec<&'static str> {
    columns.iter().map(|column| column.name).collect()
}

/// How many rows a run has, and until when.
///
/// # Errors
/// 410 `report-result-expired`; 409 `conflict` of a run that is not done, failed or was canceled.
pub fn row_count<F: Family>(pull: &WidePull<F>) -> Result<(u64, Timestamp), Problem> {
    let run = with_result(pull.run.clone())?;
    if let (Some(total), Some(expires_at)) = (pull.total_rows, run.expires_at) {
        return Ok((total, expires_at.into()));
    }
    let detail = format!(
        "The run is {}: it has no rows. Read them once its status is succeeded.",
        run.status
    );
    Err(Problem::new(Suffix::Conflict, detail))
}

/// A page of rows. Nothing is kept of it for later callers that would outlive the rows.
pub fn until_expiry<T>(
    answer: T,
    spec: &OperationSpec,
    expires_at: Timestamp,
    now: OffsetDateTime,
) -> Cacheable<T> {
    let keep = if expires_at.moment() - now > Duration::seconds(spec.cache_seconds.into()) {
        Keep::Same
    } else {
        Keep::Nothing
    };
    Cacheable { answer, keep }
}

/// The name of the total.
#[derive(Debug)]
pub struct TotalRows;

impl TotalName for TotalRows {
    const NAME: &'static str = "total_rows";
}

/// A row: a member for each column. Its schema has the name of the reports' keys, so that those of each module are told apart.
#[derive(Debug)]
pub struct ReportRowPublic<Key> {
    report: &'static Report,
    cells: Vec<Cell>,
    key: PhantomData<Key>,
}

impl<Key> ReportRowPublic<Key> {
    /// A row of a report, with a value for each of its columns.
    #[must_use]
    pub const fn new(report: &'static Report, cells: Vec<Cell>) -> Self {
        Self {
            report,
            cells,
            key: PhantomData,
        }
    }
}

impl<Key> Serialize for ReportRowPublic<Key> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.cells.len()))?;
        for (Column { name, .. }, cell) in self.report.columns().zip(&self.cells) {
            map.serialize_entry(name, cell)?;
        }
        map.end()
    }
}

impl<Key: ToSchema> ToSchema for ReportRowPublic<Key> {
    fn name() -> std::borrow::Cow<'static, str> {
        let key = Key::name();
        format!("{}Row", key.strip_suffix("Key").unwrap_or(&key)).into()
    }
}

impl<Key> PartialSchema for ReportRowPublic<Key> {
    fn schema() -> RefOr<Schema> {
        let cell = ObjectBuilder::new().schema_type(SchemaType::from_iter([
            Type::String,
            Type::Number,
            Type::Boolean,
            Type::Null,
        ]));
        ObjectBuilder::new()
            .description(Some(
                "A row of a report: a member for each of `columns`, by its name. One that is not known, or was not measured, \
                 is null.",
            ))
            .additional_properties(Some(AdditionalProperties::from(RefOr::<Schema>::from(cell))))
            .into()
    }
}

impl<Key> Example for ReportRowPublic<Key> {
    fn example() -> Self {
        const EXAMPLE: &Report = &Report {
            name: "Countries by page",
            description: "Every page by country.",
            dimensions: &[
                Column::of("page", ColumnKind::String),
                Column::of("country", ColumnKind::String),
            ],
            metrics: &[Column::of("visitors", ColumnKind::Integer)],
        };
        let cells = vec![
            Cell::Text("/products/teapot".to_owned()),
            Cell::Text("DE".to_owned()),
            Cell::Count(812),
        ];
        Self::new(EXAMPLE, cells)
    }
}
