//! The parts that pages are made of. Each is a function or a small builder that gives markup.

pub(crate) mod copy;
pub(crate) mod danger;
pub(crate) mod facts;
pub(crate) mod form;
pub(crate) mod mark;
pub(crate) mod name;
pub(crate) mod notice;
pub(crate) mod qr;
pub(crate) mod table;
