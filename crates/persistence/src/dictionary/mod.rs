//! Dictionaries: the numbers that stand for texts in the rows of a group.
//!
//! A number is made in a transaction of its own before the batch that needs it, so that nobody waits for a batch to learn one.
//! One that was told for a day is there for as long as anything of that day is kept: a text is forgotten by the day of its last
//! use, which is written before the number is told, and the number that a process remembers counts until a month after that day.

mod table;

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    fmt,
    marker::PhantomData,
    sync::Arc,
};

use diesel::{
    QueryableByName,
    sql_types::{Array, Date as SqlDate, Integer, SmallInt, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use moka::sync::Cache;
use pharos_domain::{ids::DomainId, store::StoreError};
use time::{Date, Duration};
use uuid::Uuid;

pub use self::table::{DictionaryBounds, DictionaryTable};
use crate::{
    failure::failure,
    text::{beginning, without_nul},
};

/// How exactly it is known when a text was last used.
const USED_WITHIN: Duration = Duration::days(30);
/// How long a process goes by its memory alone. A standby that takes over may lack the latest texts, and give their numbers to
/// others.
const REMEMBERED_FOR: Duration = Duration::hours(1);
/// The bytes that a remembered text takes besides its own, about.
const OVERHEAD: usize = 320;

/// A text of a domain.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Value {
    domain: DomainId,
    dimension: i16,
    text: Arc<str>,
}

impl Value {
    /// The text as the tables of `T` have it.
    fn new<T: DictionaryTable>(domain: DomainId, dimension: T::Dimension, text: &str) -> Self {
        Self {
            domain,
            dimension: T::number(dimension),
            text: kept::<T>(text).into(),
        }
    }
}

/// A text as the dictionary in the tables of `T` keeps it. A text that a caller names is cut as it was on its way in, so that it
/// is found by its whole.
pub fn kept<T: DictionaryTable>(text: &str) -> Cow<'_, str> {
    let longest = T::BOUNDS.longest;
    if text.len() > longest || text.contains('\0') {
        beginning(without_nul(text.to_owned()), longest).into()
    } else {
        text.into()
    }
}

/// The texts that a batch needs the numbers of, each with the last day on which it is used.
#[derive(Debug, Default)]
pub struct Wanted<T> {
    values: BTreeMap<Value, Date>,
    table: PhantomData<T>,
}

impl<T: DictionaryTable> Wanted<T> {
    /// Adds a text that is used on a day.
    pub fn add(&mut self, domain: DomainId, dimension: T::Dimension, text: &str, day: Date) {
        self.want(Value::new::<T>(domain, dimension, text), day);
    }

    fn want(&mut self, value: Value, day: Date) {
        let used = self.values.entry(value).or_insert(day);
        *used = day.max(*used);
    }
}

/// The numbers of a batch's texts.
#[derive(Debug)]
pub struct Numbers<T> {
    numbers: HashMap<Value, i32>,
    table: PhantomData<T>,
}

impl<T: DictionaryTable> Numbers<T> {
    /// The number of a text that was wanted.
    ///
    /// # Errors
    /// It was not.
    pub fn of(&self, domain: DomainId, dimension: T::Dimension, text: &str) -> Result<i32, StoreError> {
        let value = Value::new::<T>(domain, dimension, text);
        let number = self.numbers.get(&value).copied();
        number.ok_or_else(|| StoreError::Failed(format!("no number for a value of {dimension:?}").into()))
    }

    /// The same where there may be no text.
    ///
    /// # Errors
    /// The text was not wanted.
    pub fn of_any(
        &self,
        domain: DomainId,
        dimension: T::Dimension,
        text: Option<&str>,
    ) -> Result<Option<i32>, StoreError> {
        text.map(|text| self.of(domain, dimension, text)).transpose()
    }
}

/// The number of a text, and a day on which that was used, or one before its last.
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

/// Texts that are looked up, each with the last day on which it is used.
type Wishes = Vec<(Value, Date)>;

/// The dictionary in the tables of `T`, with what this process remembers of it.
#[derive(Clone)]
pub struct Dictionary<T> {
    remembered: Cache<Value, Known>,
    most_new: u32,
    table: PhantomData<T>,
}

impl<T> fmt::Debug for Dictionary<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dictionary").finish_non_exhaustive()
    }
}

impl<T: DictionaryTable> Default for Dictionary<T> {
    fn default() -> Self {
        Self::with_most_new(T::BOUNDS.most_new)
    }
}

impl<T: DictionaryTable> Dictionary<T> {
    /// The dictionary with another bound on the texts that a domain may bring to a dimension on a day.
    #[must_use]
    pub fn with_most_new(most_new: u32) -> Self {
        Self {
            remembered: Cache::builder()
                .max_capacity(T::BOUNDS.remembered)
                .weigher(|value: &Value, _| u32::try_from(value.text.len() + OVERHEAD).unwrap_or(u32::MAX))
                .time_to_live(REMEMBERED_FOR.unsigned_abs())
                .build(),
            most_new,
            table: PhantomData,
        }
    }

    /// The numbers of texts. Those that are new are made; beyond a domain's bound of a day they are that of `other`.
    ///
    /// # Errors
    /// The database could not say, or could not make them.
    pub async fn numbers(
        &self,
        connection: &mut AsyncPgConnection,
        wanted: Wanted<T>,
    ) -> Result<Numbers<T>, StoreError> {
        let mut numbers = HashMap::new();
        let mut missing = Vec::new();
        for (value, day) in wanted.values {
            match self.remembered.get(&value) {
                Some(known) if known.serves(day) => drop(numbers.insert(value, known.id)),
                _ => missing.push((value, day)),
            }
        }
        let missing = self.find(connection, missing, &mut numbers).await?;
        make::<T>(connection, &missing, self.most_new).await?;
        let beyond = self.find(connection, missing, &mut numbers).await?;
        if !beyond.is_empty() {
            let other = |value: &Value| Value {
                text: T::BOUNDS.other.into(),
                ..value.clone()
            };
            let mut others = Wanted::<T>::default();
            for (value, day) in &beyond {
                others.want(other(value), *day);
            }
            let others: Wishes = others.values.into_iter().collect();
            // It is there but for the first time. To make it again would use up a number, of which all domains have as many as 32
            // bits hold.
            let others = self.find(connection, others, &mut numbers).await?;
            make::<T>(connection, &others, u32::MAX >> 1).await?;
            self.find(connection, others, &mut numbers).await?;
            for (value, _) in beyond {
                if let Some(number) = numbers.get(&other(&value)).copied() {
                    numbers.insert(value, number);
                }
            }
        }
        Ok(Numbers {
            numbers,
            table: PhantomData,
        })
    }

    /// Looks texts up, notes that they are used, and returns those that are not there.
    async fn find(
        &self,
        connection: &mut AsyncPgConnection,
        mut wishes: Wishes,
        numbers: &mut HashMap<Value, i32>,
    ) -> Result<Wishes, StoreError> {
        if wishes.is_empty() {
            return Ok(wishes);
        }
        let Columns {
            domains,
            dimensions,
            texts,
            ..
        } = Columns::of(&wishes);
        let query = T::find()
            .bind::<Array<SqlUuid>, _>(domains)
            .bind::<Array<SmallInt>, _>(dimensions)
            .bind::<Array<Text>, _>(texts);
        let found: Vec<Found> = query.load(connection).await.map_err(failure)?;
        let mut old: BTreeMap<i32, &(Value, Date)> = BTreeMap::new();
        for Found { place, id, used_on } in found {
            let index = usize::try_from(place - 1).unwrap_or(usize::MAX);
            let Some(wish) = wishes.get(index) else { continue };
            let known = Known { id, used_on };
            if known.serves(wish.1) {
                self.tell(&wish.0, known, numbers);
            } else {
                old.insert(id, wish);
            }
        }
        for id in touch::<T>(connection, &old).await? {
            if let Some((value, used_on)) = old.get(&id) {
                let used_on = *used_on;
                self.tell(value, Known { id, used_on }, numbers);
            }
        }
        wishes.retain(|(value, _)| !numbers.contains_key(value));
        Ok(wishes)
    }

    fn tell(&self, value: &Value, known: Known, numbers: &mut HashMap<Value, i32>) {
        self.remembered.insert(value.clone(), known);
        numbers.insert(value.clone(), known.id);
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
async fn touch<T: DictionaryTable>(
    connection: &mut AsyncPgConnection,
    old: &BTreeMap<i32, &(Value, Date)>,
) -> Result<Vec<i32>, StoreError> {
    if old.is_empty() {
        return Ok(Vec::new());
    }
    let (ids, days): (Vec<i32>, Vec<Date>) = old.iter().map(|(id, (_, day))| (*id, *day)).unzip();
    let query = T::touch()
        .bind::<Array<Integer>, _>(ids)
        .bind::<Array<SqlDate>, _>(days);
    let touched: Vec<TouchedRow> = query.load(connection).await.map_err(failure)?;
    Ok(touched.into_iter().map(|row| row.id).collect())
}

/// Makes numbers for texts, as far as the bound of their domain, dimension and day allows.
async fn make<T: DictionaryTable>(
    connection: &mut AsyncPgConnection,
    wishes: &[(Value, Date)],
    most_new: u32,
) -> Result<(), StoreError> {
    if wishes.is_empty() {
        return Ok(());
    }
    let Columns {
        domains,
        dimensions,
        texts,
        days,
    } = Columns::of(wishes);
    let query = T::make()
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<SmallInt>, _>(dimensions)
        .bind::<Array<Text>, _>(texts)
        .bind::<Array<SqlDate>, _>(days)
        .bind::<Integer, _>(i32::try_from(most_new).unwrap_or(i32::MAX));
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
    fn of(wishes: &'a [(Value, Date)]) -> Self {
        let mut columns = Self::default();
        for (value, day) in wishes {
            columns.domains.push(value.domain.0);
            columns.dimensions.push(value.dimension);
            columns.texts.push(&value.text);
            columns.days.push(*day);
        }
        columns
    }
}

#[cfg(test)]
mod tests;
