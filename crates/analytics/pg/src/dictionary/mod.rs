//! The numbers that stand for texts.
//!
//! A number is made in a transaction of its own before the batch that needs it, so that nobody waits for a batch to learn one.
//! One that was told for a day is there for as long as anything of that day is kept: a value is forgotten by the day of its last
//! use, which is written before the number is told, and the number that a process remembers counts until a month after that day.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use diesel::{
    QueryableByName,
    sql_types::{Array, Date as SqlDate, Integer, SmallInt, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use moka::sync::Cache;
use pharos_analytics::dimension::{Dimension, LONGEST_VALUE, MOST_NEW_VALUES, OTHER};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{
    failure::failure,
    sql,
    text::{beginning, without_nul},
};
use time::{Date, Duration};
use uuid::Uuid;

/// How many values a process remembers.
const REMEMBERED: u64 = 200_000;
/// How exactly it is known when a value was last used.
const USED_WITHIN: Duration = Duration::days(30);

/// A value of a domain.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Value {
    domain: DomainId,
    dimension: Dimension,
    text: Arc<str>,
}

impl Value {
    fn new(domain: DomainId, dimension: Dimension, text: &str) -> Self {
        Self {
            domain,
            dimension,
            text: kept(text).into(),
        }
    }
}

/// A text as the dictionary keeps it. A value that a caller names is cut as it was on its way in, so that it is found by its whole
/// text.
pub(crate) fn kept(text: &str) -> Cow<'_, str> {
    if text.len() > LONGEST_VALUE || text.contains('\0') {
        beginning(without_nul(text.to_owned()), LONGEST_VALUE).into()
    } else {
        text.into()
    }
}

/// The number of a dimension in the tables.
pub(crate) const fn number(dimension: Dimension) -> i16 {
    dimension as i16
}

/// The texts that a batch needs the numbers of, each with the last day on which it is used.
#[derive(Debug, Default)]
pub(crate) struct Wanted(BTreeMap<Value, Date>);

impl Wanted {
    pub(crate) fn add(&mut self, domain: DomainId, dimension: Dimension, text: &str, day: Date) {
        let used = self.0.entry(Value::new(domain, dimension, text)).or_insert(day);
        *used = day.max(*used);
    }
}

/// The numbers of a batch's texts.
#[derive(Debug, Default)]
pub(crate) struct Numbers(HashMap<Value, i32>);

impl Numbers {
    /// The number of a text that was wanted.
    pub(crate) fn of(&self, domain: DomainId, dimension: Dimension, text: &str) -> Result<i32, StoreError> {
        let number = self.0.get(&Value::new(domain, dimension, text)).copied();
        number.ok_or_else(|| StoreError::Failed(format!("no number for a value of {dimension:?}").into()))
    }

    /// The same where there may be no text.
    pub(crate) fn of_any(
        &self,
        domain: DomainId,
        dimension: Dimension,
        text: Option<&str>,
    ) -> Result<Option<i32>, StoreError> {
        text.map(|text| self.of(domain, dimension, text)).transpose()
    }
}

/// The number of a value, and a day on which that was used, or one before its last.
#[derive(Clone, Copy, Debug)]
struct Known {
    id: i32,
    used_on: Date,
}

impl Known {
    /// Whether the number can be told for a day without noting that it was used.
    fn serves(self, day: Date) -> bool {
        day <= self.used_on.saturating_add(USED_WITHIN)
    }
}

/// The dictionary, with what this process remembers of it.
#[derive(Clone)]
pub(crate) struct Dictionary {
    remembered: Cache<Value, Known>,
    most_new: u32,
}

impl std::fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dictionary").finish_non_exhaustive()
    }
}

impl Dictionary {
    pub(crate) fn new() -> Self {
        Self::with_bound(MOST_NEW_VALUES)
    }

    pub(crate) fn with_bound(most_new: u32) -> Self {
        Self {
            remembered: Cache::new(REMEMBERED),
            most_new,
        }
    }

    /// The numbers of texts. Those that are new are made; beyond a site's bound of a day they are [`OTHER`].
    pub(crate) async fn numbers(
        &self,
        connection: &mut AsyncPgConnection,
        Wanted(wanted): Wanted,
    ) -> Result<Numbers, StoreError> {
        let mut numbers = Numbers::default();
        let mut missing = Vec::new();
        for (value, day) in wanted {
            match self.remembered.get(&value) {
                Some(known) if known.serves(day) => drop(numbers.0.insert(value, known.id)),
                _ => missing.push((value, day)),
            }
        }
        let missing = self.find(connection, missing, &mut numbers).await?;
        make(connection, &missing, self.most_new).await?;
        let beyond = self.find(connection, missing, &mut numbers).await?;
        if beyond.is_empty() {
            return Ok(numbers);
        }
        let other = |value: &Value| Value {
            text: OTHER.into(),
            ..value.clone()
        };
        let others: BTreeMap<Value, Date> = beyond.iter().map(|(value, day)| (other(value), *day)).collect();
        let others: Vec<_> = others.into_iter().collect();
        make(connection, &others, u32::MAX >> 1).await?;
        self.find(connection, others, &mut numbers).await?;
        for (value, _) in beyond {
            if let Some(number) = numbers.0.get(&other(&value)).copied() {
                numbers.0.insert(value, number);
            }
        }
        Ok(numbers)
    }

    /// Looks values up, notes that they are used, and returns those that are not there.
    async fn find(
        &self,
        connection: &mut AsyncPgConnection,
        mut values: Vec<(Value, Date)>,
        numbers: &mut Numbers,
    ) -> Result<Vec<(Value, Date)>, StoreError> {
        if values.is_empty() {
            return Ok(values);
        }
        let Columns {
            domains,
            dimensions,
            texts,
            ..
        } = Columns::of(&values);
        let query = sql!("find.sql")
            .bind::<Array<SqlUuid>, _>(domains)
            .bind::<Array<SmallInt>, _>(dimensions)
            .bind::<Array<Text>, _>(texts);
        let found: Vec<Found> = query.load(connection).await.map_err(failure)?;
        let mut old: BTreeMap<i32, &(Value, Date)> = BTreeMap::new();
        for Found { place, id, used_on } in found {
            let index = usize::try_from(place - 1).unwrap_or(usize::MAX);
            let Some(wish) = values.get(index) else { continue };
            let known = Known { id, used_on };
            if known.serves(wish.1) {
                self.tell(&wish.0, known, numbers);
            } else {
                old.insert(id, wish);
            }
        }
        for id in touch(connection, &old).await? {
            if let Some((value, used_on)) = old.get(&id) {
                let used_on = *used_on;
                self.tell(value, Known { id, used_on }, numbers);
            }
        }
        values.retain(|(value, _)| !numbers.0.contains_key(value));
        Ok(values)
    }

    fn tell(&self, value: &Value, known: Known, numbers: &mut Numbers) {
        self.remembered.insert(value.clone(), known);
        numbers.0.insert(value.clone(), known.id);
    }
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Integer)]
    place: i32,
    #[diesel(sql_type = Integer)]
    id: i32,
    #[diesel(sql_type = SqlDate)]
    used_on: Date,
}

#[derive(QueryableByName)]
struct TouchedRow {
    #[diesel(sql_type = Integer)]
    id: i32,
}

/// Notes of numbers on which day each is used, and returns those that are still there.
async fn touch(
    connection: &mut AsyncPgConnection,
    old: &BTreeMap<i32, &(Value, Date)>,
) -> Result<Vec<i32>, StoreError> {
    if old.is_empty() {
        return Ok(Vec::new());
    }
    let (ids, days): (Vec<i32>, Vec<Date>) = old.iter().map(|(id, (_, day))| (*id, *day)).unzip();
    let query = sql!("touch.sql")
        .bind::<Array<Integer>, _>(ids)
        .bind::<Array<SqlDate>, _>(days);
    let touched: Vec<TouchedRow> = query.load(connection).await.map_err(failure)?;
    Ok(touched.into_iter().map(|row| row.id).collect())
}

/// Values by column.
#[derive(Default)]
struct Columns<'a> {
    domains: Vec<Uuid>,
    dimensions: Vec<i16>,
    texts: Vec<&'a str>,
    days: Vec<Date>,
}

impl<'a> Columns<'a> {
    fn of(values: &'a [(Value, Date)]) -> Self {
        let mut columns = Self::default();
        for (value, day) in values {
            columns.domains.push(value.domain.0);
            columns.dimensions.push(number(value.dimension));
            columns.texts.push(&value.text);
            columns.days.push(*day);
        }
        columns
    }
}

/// Makes numbers for values, as far as the bound of their site, dimension and day allows.
async fn make(
    connection: &mut AsyncPgConnection,
    values: &[(Value, Date)],
    most_new: u32,
) -> Result<(), StoreError> {
    if values.is_empty() {
        return Ok(());
    }
    let Columns {
        domains,
        dimensions,
        texts,
        days,
    } = Columns::of(values);
    let query = sql!("make.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<SmallInt>, _>(dimensions)
        .bind::<Array<Text>, _>(texts)
        .bind::<Array<SqlDate>, _>(days)
        .bind::<Integer, _>(i32::try_from(most_new).unwrap_or(i32::MAX));
    query.execute(connection).await.map(|_| ()).map_err(failure)
}
