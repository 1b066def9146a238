//! Filters by the numbers of their values, and what is known of a domain.

use diesel::{
    QueryableByName,
    sql_types::{Array, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_analytics::{
    dimension::Dimension,
    filter::{Filters, Fitting},
};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{dictionary::kept, failure::read_failure, sql};
use time::OffsetDateTime;

use crate::{
    collect::{channel_number, device_number},
    dictionary::{Values, number},
};

/// Filters as the SQL functions take them; `None` within: fits all.
pub(crate) type FilterNumbers = [Option<i32>; 11];

/// No value has this number, so nothing fits.
const NOTHING: i32 = -1;

/// The facts about a domain that a read needs first.
#[derive(Debug)]
pub(crate) struct Known {
    /// Up to which midnight it is rolled up.
    pub(crate) rolled_until: Option<OffsetDateTime>,
    /// The newest moment of which anything was received.
    pub(crate) last_at: Option<OffsetDateTime>,
    /// The filters; `None` where there are none.
    pub(crate) filters: Option<FilterNumbers>,
}

#[derive(QueryableByName)]
struct KnownRow {
    #[diesel(sql_type = Nullable<Timestamptz>)]
    rolled_until: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Array<Integer>)]
    numbers: Vec<i32>,
}

/// Looks up how far a domain is rolled up, and the numbers of filters.
pub(crate) async fn known(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    filters: &Filters,
) -> Result<Known, StoreError> {
    let texts = texts(filters);
    let asked: Vec<(usize, Dimension, &str)> = texts
        .into_iter()
        .filter_map(|(place, dimension, text)| Some((place, dimension, text?)))
        .collect();
    let values: Vec<(Dimension, &str)> = asked
        .iter()
        .map(|(_, dimension, text)| (*dimension, *text))
        .collect();
    let row = row(connection, domain, &values).await?;
    let mut numbers: FilterNumbers = [None; 11];
    numbers[0] = filters.channel.map(|channel| match channel {
        Fitting::Is(channel) => channel_number(channel).into(),
        Fitting::Nothing => NOTHING,
    });
    numbers[1] = filters.device.map(|device| match device {
        Fitting::Is(device) => device_number(device).into(),
        Fitting::Nothing => NOTHING,
    });
    for ((place, _, _), number) in asked.into_iter().zip(row.numbers) {
        numbers[place] = Some(number);
    }
    Ok(Known {
        rolled_until: row.rolled_until,
        last_at: row.last_at,
        filters: (!filters.is_empty()).then_some(numbers),
    })
}

/// The numbers of values; of one that never occurred a number that no value has.
pub(super) async fn numbers(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    values: &[(Dimension, &str)],
) -> Result<Vec<i32>, StoreError> {
    Ok(row(connection, domain, values).await?.numbers)
}

async fn row(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    values: &[(Dimension, &str)],
) -> Result<KnownRow, StoreError> {
    let dimensions: Vec<i16> = values.iter().map(|(dimension, _)| number(*dimension)).collect();
    let texts: Vec<String> = values
        .iter()
        .map(|(_, text)| kept::<Values>(text).into_owned())
        .collect();
    let query = sql!("known.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<SmallInt>, _>(dimensions)
        .bind::<Array<Text>, _>(texts);
    query.get_result(connection).await.map_err(read_failure)
}

/// The filters whose values are in the dictionary, with their places among all.
fn texts(filters: &Filters) -> [(usize, Dimension, Option<&str>); 9] {
    [
        (2, Dimension::Source, filters.source.as_deref()),
        (3, Dimension::Medium, filters.medium.as_deref()),
        (4, Dimension::Campaign, filters.campaign.as_deref()),
        (5, Dimension::Country, filters.country.as_deref()),
        (6, Dimension::Browser, filters.browser.as_deref()),
        (7, Dimension::Os, filters.os.as_deref()),
        (8, Dimension::Referrer, filters.referrer.as_deref()),
        (9, Dimension::Page, filters.page.as_deref()),
        (10, Dimension::Event, filters.event.as_deref()),
    ]
}
