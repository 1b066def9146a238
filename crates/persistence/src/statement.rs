//! SQL from a file as a statement that is prepared once a connection.
//!
//! Diesel does not know that the text of `sql_query` never changes, and has it prepared anew each time, which
//! costs a round trip. A [`Statement`] vouches for that by a type that stands for this text alone.

use std::marker::PhantomData;

use diesel::{
    QueryResult,
    pg::Pg,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    sql_types::Untyped,
};

/// A query whose text is always the same. `Name` is a type that no other statement has.
#[derive(Debug)]
pub struct Statement<Name, Q> {
    query: Q,
    name: PhantomData<Name>,
}

/// The statement called `Name`: `query` is a `sql_query` of constant text with its binds.
pub fn statement<Name, Q>(query: Q) -> Statement<Name, Q> {
    Statement {
        query,
        name: PhantomData,
    }
}

impl<Name, Q: QueryFragment<Pg>> QueryFragment<Pg> for Statement<Name, Q> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
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
