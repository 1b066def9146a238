//! JSON columns, read straight into what they hold: no tree of values in between.

use diesel::{
    deserialize::{self, FromSql, FromSqlRow},
    pg::{Pg, PgValue},
    sql_types::Jsonb,
};
use pharos_domain::store::StoreError;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::text::without_nul;

/// What a column holds. A row that this version can't read is still a row: it fails alone.
#[derive(Debug, FromSqlRow)]
pub struct Json<T>(serde_json::Result<T>);

impl<T> Json<T> {
    /// The value; `what` it should have been is for the message, which repeats nothing of it.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`]: it is something else.
    pub fn read(self, what: &str) -> Result<T, StoreError> {
        self.0
            .map_err(|error| StoreError::Corrupt(format!("{what}: {error}")))
    }
}

impl<T: DeserializeOwned> FromSql<Jsonb, Pg> for Json<T> {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        // The format on the wire has a version before the text.
        let [1, text @ ..] = value.as_bytes() else {
            return Err("a jsonb of another version than 1".into());
        };
        Ok(Self(serde_json::from_slice(text)))
    }
}

/// What a column is given. In texts from outside, whatever can't be stored is replaced.
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
