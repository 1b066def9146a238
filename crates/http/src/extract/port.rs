//! A port, as the server wired it.

use std::{fmt, ops::Deref, sync::Arc};

use crate::{
    operation::{Argument, Call},
    problem::Problem,
};

/// A port that a handler uses: `Port<dyn CheckStore>`. The server puts it into the application's data.
pub struct Port<T: ?Sized>(pub Arc<T>);

impl<T: ?Sized> Clone for Port<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> fmt::Debug for Port<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Port<{}>", std::any::type_name::<T>())
    }
}

impl<T: ?Sized> Deref for Port<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized + 'static> Argument for Port<T> {
    fn extract(call: &Call) -> Result<Self, Problem> {
        let wired = call.request.app_data::<Self>().cloned();
        wired.ok_or_else(|| Problem::internal(format!("{} is not wired", std::any::type_name::<T>())))
    }
}
