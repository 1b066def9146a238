//! The properties of an event.

use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Double, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_analytics::properties::{
    MOST_PROPERTIES, MOST_VALUES, NumberFigures, Properties, PropertiesQuery, Property, PropertyType,
    ValueFigures,
};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::read_failure, names::count, pool::Database, sql};

use super::{
    filters::{FilterNumbers, known},
    overview::{self, Rolled},
};

/// A value of a property, with what is said of that.
#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    total: i64,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = BigInt)]
    texts: i64,
    #[diesel(sql_type = BigInt)]
    numbers: i64,
    #[diesel(sql_type = BigInt)]
    flags: i64,
    #[diesel(sql_type = Nullable<Double>)]
    least: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    greatest: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    mean: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    sum: Option<f64>,
    #[diesel(sql_type = Text)]
    value: String,
    #[diesel(sql_type = BigInt)]
    times: i64,
    #[diesel(sql_type = BigInt)]
    visitors: i64,
    #[diesel(sql_type = BigInt)]
    distinct_values: i64,
}

impl Row {
    const fn kind(&self) -> PropertyType {
        match (self.texts > 0, self.numbers > 0, self.flags > 0) {
            (true, false, false) => PropertyType::Text,
            (false, true, false) => PropertyType::Number,
            (false, false, true) => PropertyType::Flag,
            _ => PropertyType::Mixed,
        }
    }

    fn in_numbers(&self) -> Option<NumberFigures> {
        Some(NumberFigures {
            min: self.least?,
            max: self.greatest?,
            avg: self.mean?,
            sum: self.sum?,
        })
    }
}

pub(super) async fn read(
    database: &Database,
    domain: DomainId,
    query: &PropertiesQuery<'_>,
) -> Result<Properties, StoreError> {
    let mut connection = database.long_read().await?;
    let known = known(&mut connection, domain, query.filters).await?;
    let connection: &AsyncPgConnection = &connection;
    let rolled = Rolled::new(query.window, &known);
    let filters = known.filters.as_ref();
    let (rows, totals) = tokio::try_join!(
        rows(connection, domain, query, filters),
        overview::totals(connection, domain, rolled, filters),
    )?;
    let mut found = Properties {
        visitors: totals.visitors,
        last_at: known.last_at,
        ..Properties::default()
    };
    for row in rows {
        found.total = count(row.total)?;
        if found.properties.last().is_none_or(|last| last.name != row.name) {
            found.properties.push(Property {
                kind: row.kind(),
                numbers: row.in_numbers(),
                values: Vec::new(),
                distinct_values: count(row.distinct_values)?,
                name: row.name,
            });
        }
        let value = ValueFigures {
            value: row.value,
            count: count(row.times)?,
            visitors: count(row.visitors)?,
        };
        if let Some(property) = found.properties.last_mut() {
            property.values.push(value);
        }
    }
    Ok(found)
}

async fn rows(
    mut connection: &AsyncPgConnection,
    domain: DomainId,
    query: &PropertiesQuery<'_>,
    filters: Option<&FilterNumbers>,
) -> Result<Vec<Row>, StoreError> {
    let statement = sql!("properties.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(query.window.start())
        .bind::<Timestamptz, _>(query.window.end())
        .bind::<Nullable<Array<Nullable<Integer>>>, _>(filters.map(|filters| filters.to_vec()))
        .bind::<Text, _>(query.event)
        .bind::<Nullable<Text>, _>(query.property)
        .bind::<BigInt, _>(i64::from(MOST_PROPERTIES))
        .bind::<BigInt, _>(i64::from(MOST_VALUES));
    statement.load(&mut connection).await.map_err(read_failure)
}
