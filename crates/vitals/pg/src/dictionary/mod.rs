//! The numbers that stand for texts.
//!
//! A number is made in a transaction of its own before the batch that needs it, so that nobody waits for a batch to learn one.

use std::collections::{BTreeMap, HashMap};

use diesel::{
    QueryableByName,
    sql_types::{Array, Date as SqlDate, Integer, SmallInt, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{
    failure::failure,
    sql,
    text::{beginning, without_nul},
};
use time::{Date, Duration};
use uuid::Uuid;

/// The text that stands for texts beyond the bound.
pub(crate) const OTHER: &str = "(other)";
/// The longest text, in bytes.
const LONGEST: usize = 2_000;
/// How many texts a site may bring to a dimension on one UTC day.
pub(crate) const MOST_NEW: i32 = 5_000;
/// How exactly it is known when a text was last used.
const USED_WITHIN: Duration = Duration::days(30);

/// The kinds of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(i16)]
pub(crate) enum Dimension {
    Page = 0,
    Referrer = 1,
    Browser = 2,
    BrowserVersion = 3,
    Os = 4,
    OsVersion = 5,
    Country = 6,
    Protocol = 7,
    Element = 8,
    ElementId = 9,
    ElementClass = 10,
    Resource = 11,
    Host = 12,
    Method = 13,
    Timing = 14,
    Function = 15,
    Invoker = 16,
    Reason = 17,
    ErrorKey = 18,
}

/// A text of a domain.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Value {
    domain: DomainId,
    dimension: Dimension,
    text: String,
}

impl Value {
    fn new(domain: DomainId, dimension: Dimension, text: &str) -> Self {
        Self {
            domain,
            dimension,
            text: beginning(without_nul(text.to_owned()), LONGEST),
        }
    }
}

/// Gives numbers for texts.
pub(crate) trait Texts {
    /// The number of a text on a day.
    fn number(&mut self, domain: DomainId, dimension: Dimension, text: &str, day: Date) -> i32;
}

/// The texts that a batch needs the numbers of, each with the last day on which it was used. The numbers that it gives mean
/// nothing.
#[derive(Debug, Default)]
pub(crate) struct Wanted(BTreeMap<Value, Date>);

impl Texts for Wanted {
    fn number(&mut self, domain: DomainId, dimension: Dimension, text: &str, day: Date) -> i32 {
        let used = self.0.entry(Value::new(domain, dimension, text)).or_insert(day);
        *used = day.max(*used);
        0
    }
}

/// The numbers of a batch's texts.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    numbers: HashMap<Value, i32>,
    /// Whether one was asked for that there is none of.
    lacks: bool,
}

impl Texts for Numbers {
    fn number(&mut self, domain: DomainId, dimension: Dimension, text: &str, _: Date) -> i32 {
        let number = self.numbers.get(&Value::new(domain, dimension, text)).copied();
        self.lacks |= number.is_none();
        number.unwrap_or(0)
    }
}

impl Numbers {
    /// Fails where a number was asked for that there is none of.
    pub(crate) fn checked(&self) -> Result<(), StoreError> {
        if self.lacks {
            return Err(StoreError::Failed("a text without a number".into()));
        }
        Ok(())
    }
}

type Wishes = Vec<(Value, Date)>;

/// The numbers of texts. Those that are new are made; beyond `most_new` of a site's dimension and day they are [`OTHER`].
pub(crate) async fn numbers(
    connection: &mut AsyncPgConnection,
    Wanted(wanted): Wanted,
    most_new: i32,
) -> Result<Numbers, StoreError> {
    let mut numbers = Numbers::default();
    let missing = find(connection, wanted.into_iter().collect(), &mut numbers).await?;
    make(connection, &missing, most_new).await?;
    let beyond = find(connection, missing, &mut numbers).await?;
    if beyond.is_empty() {
        return Ok(numbers);
    }
    let other = |value: &Value| Value {
        text: OTHER.to_owned(),
        ..value.clone()
    };
    let others: BTreeMap<Value, Date> = beyond.iter().map(|(value, day)| (other(value), *day)).collect();
    let others: Wishes = others.into_iter().collect();
    make(connection, &others, i32::MAX).await?;
    find(connection, others, &mut numbers).await?;
    for (value, _) in beyond {
        if let Some(number) = numbers.numbers.get(&other(&value)).copied() {
            numbers.numbers.insert(value, number);
        }
    }
    Ok(numbers)
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

/// Looks texts up, notes that they are used, and returns those that are not there.
async fn find(
    connection: &mut AsyncPgConnection,
    mut wishes: Wishes,
    numbers: &mut Numbers,
) -> Result<Wishes, StoreError> {
    if wishes.is_empty() {
        return Ok(wishes);
    }
    let columns = Columns::of(&wishes);
    let query = sql!("find.sql")
        .bind::<Array<SqlUuid>, _>(columns.domains)
        .bind::<Array<SmallInt>, _>(columns.dimensions)
        .bind::<Array<Text>, _>(columns.texts);
    let found: Vec<Found> = query.load(connection).await.map_err(failure)?;
    let mut old: BTreeMap<i32, &(Value, Date)> = BTreeMap::new();
    for Found { place, id, used_on } in found {
        let index = usize::try_from(place - 1).unwrap_or(usize::MAX);
        let Some(wish) = wishes.get(index) else { continue };
        if used_on.saturating_add(USED_WITHIN) < wish.1 {
            old.insert(id, wish);
        } else {
            numbers.numbers.insert(wish.0.clone(), id);
        }
    }
    for id in touch(connection, &old).await? {
        if let Some((value, _)) = old.get(&id) {
            numbers.numbers.insert(value.clone(), id);
        }
    }
    wishes.retain(|(value, _)| !numbers.numbers.contains_key(value));
    Ok(wishes)
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

/// Makes numbers for texts, as far as the bound of their site, dimension and day allows.
async fn make(connection: &mut AsyncPgConnection, wishes: &Wishes, most_new: i32) -> Result<(), StoreError> {
    if wishes.is_empty() {
        return Ok(());
    }
    let columns = Columns::of(wishes);
    let query = sql!("make.sql")
        .bind::<Array<SqlUuid>, _>(columns.domains)
        .bind::<Array<SmallInt>, _>(columns.dimensions)
        .bind::<Array<Text>, _>(columns.texts)
        .bind::<Array<SqlDate>, _>(columns.days)
        .bind::<Integer, _>(most_new);
    query.execute(connection).await.map(|_| ()).map_err(failure)
}

/// Texts by column.
#[derive(Default)]
struct Columns<'a> {
    domains: Vec<Uuid>,
    dimensions: Vec<i16>,
    texts: Vec<&'a str>,
    days: Vec<Date>,
}

impl<'a> Columns<'a> {
    fn of(wishes: &'a Wishes) -> Self {
        let mut columns = Self::default();
        for (value, day) in wishes {
            columns.domains.push(value.domain.0);
            columns.dimensions.push(value.dimension as i16);
            columns.texts.push(&value.text);
            columns.days.push(*day);
        }
        columns
    }
}
