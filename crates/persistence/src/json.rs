//! JSON columns, read straight into what they hold, and written from it: no tree of values in between.

use std::{fmt::Debug, io::Write};

use diesel::{
    deserialize::{self, FromSql, FromSqlRow},
    expression::AsExpression,
    pg::{Pg, PgValue},
    serialize::{self, IsNull, Output, ToSql},
    sql_types::Jsonb,
};
use pharos_domain::store::StoreError;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::text::without_nul;

/// The value of a column. A row that this version can't read is still a row: it fails alone.
#[derive(Debug, AsExpression, FromSqlRow)]
#[diesel(sql_type = Jsonb)]
pub struct Json<T: Debug>(serde_json::Result<T>);

impl<T: Debug> Json<T> {
    /// A value on its way into a column. A text from outside, which PostgreSQL may not take, goes through [`written`].
    pub const fn of(value: T) -> Self {
        Self(Ok(value))
    }

    /// The value; `what` it should have been is for the message, which repeats nothing of it.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`]: it is something else.
    pub fn read(self, what: &str) -> Result<T, StoreError> {
        self.0
            .map_err(|error| StoreError::Corrupt(format!("{what}: {error}")))
    }
}

impl Json<Vec<Value>> {
    /// The elements of a list, without those whose `field` holds a name that this version does not know: nodes are upgraded one by
    /// one, and one of a later version may have stored them.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`]: it is something else.
    pub fn read_known<T: DeserializeOwned>(
        self,
        what: &str,
        field: &str,
        is_known: impl Fn(&str) -> bool,
    ) -> Result<Vec<T>, StoreError> {
        let elements = self.read(what)?.into_iter();
        elements
            .filter(|element| {
                let name = element.get(field).and_then(Value::as_str);
                name.is_none_or(&is_known)
            })
            .map(|element| {
                serde_json::from_value(element)
                    .map_err(|error| StoreError::Corrupt(format!("{what}: {error}")))
            })
            .collect()
    }
}

impl<T: DeserializeOwned + Debug> FromSql<Jsonb, Pg> for Json<T> {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        // The format on the wire has a version before the text.
        let [1, text @ ..] = value.as_bytes() else {
            return Err("a jsonb of another version than 1".into());
        };
        Ok(Self(serde_json::from_slice(text)))
    }
}

impl<T: Serialize + Debug> ToSql<Jsonb, Pg> for Json<T> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        let value = self.0.as_ref().map_err(ToString::to_string)?;
        out.write_all(&[1])?;
        serde_json::to_writer(out, value)?;
        Ok(IsNull::No)
    }
}

/// A value as a column takes it. In texts from outside, whatever can't be stored is replaced.
///
/// # Errors
/// [`StoreError::Failed`]: it can't be said in JSON.
pub fn written<T: Serialize + ?Sized>(value: &T) -> Result<Value, StoreError> {
    serde_json::to_value(value)
        .map(storable)
        .map_err(|error| StoreError::Failed(Box::new(error)))
}

fn storable(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(without_nul(text)),
        Value::Array(values) => values.into_iter().map(storable).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| (without_nul(name), storable(value)))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}
