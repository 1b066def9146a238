//! SQL as a statement that is prepared once a connection.
//!
//! Diesel does not know that the text of `sql_query` never changes, and has it prepared anew each time, which costs a
//! round trip. A [`Statement`] vouches for that by a type that stands for this text alone: the macro `sql!` makes one for
//! each place that it is written in.

use std::{any::type_name, marker::PhantomData};

use diesel::{
    QueryResult,
    pg::Pg,
    query_builder::{AstPass, Query, QueryFragment, QueryId, SqlQuery},
    serialize::ToSql,
    sql_types::{HasSqlType, Untyped},
};

use crate::traces;

/// The SQL of a file beside this one, `sql!("claim.sql")`, or of a constant, `sql!(text "SELECT now()")`, as a
/// [`Statement`] that is prepared once a connection. Its parameters are bound in their order: `.bind::<Text, _>(name)`.
#[macro_export]
macro_rules! sql {
    ($file:literal) => {
        $crate::sql!(text include_str!($file))
    };
    (text $text:expr) => {{
        struct ThisText;
        const TEXT: &str = $text;
        $crate::statement::Statement::<ThisText, _>::of(TEXT)
    }};
}

/// A query whose text is always the same. `Name` is a type that no other statement has: [`sql!`](crate::sql) makes it.
#[derive(Debug)]
pub struct Statement<Name, Q> {
    query: Q,
    name: PhantomData<Name>,
}

/// A statement to which no parameter is bound yet.
pub type Bare<Name> = Statement<Name, SqlQuery>;

impl<Name> Statement<Name, SqlQuery> {
    /// The statement of `text`, without its parameters. For `sql!` alone, which gives each text a name of its own.
    #[doc(hidden)]
    #[must_use]
    pub fn of(text: &'static str) -> Self {
        Self {
            query: diesel::sql_query(text),
            name: PhantomData,
        }
    }
}

impl<Name, Inner: QueryFragment<Pg>> Statement<Name, SqlQuery<Inner>> {
    /// The statement with its next parameter, of the SQL type `ST`.
    pub fn bind<ST, V: ToSql<ST, Pg>>(self, value: V) -> Statement<Name, SqlQuery<impl QueryFragment<Pg>>>
    where
        Pg: HasSqlType<ST>,
    {
        Statement {
            // Diesel has no name for a query with a parameter. With more text behind it, if only none, it is a query again.
            query: self.query.bind::<ST, V>(value).sql(""),
            name: PhantomData,
        }
    }
}

impl<Name, Q: QueryFragment<Pg>> QueryFragment<Pg> for Statement<Name, Q> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        traces::named(type_name::<Name>());
        self.query.walk_ast(out)
    }

    fn is_safe_to_cache_prepared(&self, _backend: &Pg) -> QueryResult<bool> {
        Ok(true)
    }
}

impl<Name: 'static, Q> QueryId for Statement<Name, Q> {
    type QueryId = Name;

    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<Name, Q> Query for Statement<Name, Q> {
    type SqlType = Untyped;
}

impl<Name, Q, C> diesel::RunQueryDsl<C> for Statement<Name, Q> {}

/// A query whose plan is asked for instead of its rows. For tests.
#[cfg(feature = "testing")]
#[derive(Debug)]
pub struct Explain<Q>(pub Q);

#[cfg(feature = "testing")]
impl<Q: QueryFragment<Pg>> QueryFragment<Pg> for Explain<Q> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.unsafe_to_cache_prepared();
        out.push_sql("EXPLAIN ");
        self.0.walk_ast(out)
    }
}

#[cfg(feature = "testing")]
impl<Q> QueryId for Explain<Q> {
    type QueryId = ();

    const HAS_STATIC_QUERY_ID: bool = false;
}

#[cfg(feature = "testing")]
impl<Q> Query for Explain<Q> {
    type SqlType = diesel::sql_types::Text;
}

#[cfg(feature = "testing")]
impl<Q, C> diesel::RunQueryDsl<C> for Explain<Q> {}
