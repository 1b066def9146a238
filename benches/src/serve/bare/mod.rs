//! The bases: what the same answer costs on the same libraries without Pharos, written as one would write it.

mod charges;
mod collect;
mod incr;
mod reads;
mod ready;

pub(super) use self::{
    charges::Charges,
    collect::Collecting,
    incr::Incr,
    reads::{pipelined, pool, reads},
    ready::ready,
};
use pharos_http::spec::{BASE_PATH, OperationSpec};

/// Where a base answers: where the operation does that it is compared with, so that both get the same requests.
fn path_of(spec: &OperationSpec) -> String {
    format!("{BASE_PATH}{}", spec.path)
}
