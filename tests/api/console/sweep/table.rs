//! The rows of the tables.

use pharos_domain::role::Role;

/// Who finds something at the console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Door {
    /// Everybody, whether or not they have signed in.
    Open,
    /// Whoever has signed in.
    User,
    /// Those who look after the installation. Nobody else finds it.
    Operator,
    /// Owners and admins of the workspace. Nobody else finds it.
    Keeper,
    /// Members of the workspace with this role at least. Others of them are refused, and strangers find nothing.
    Member(Role),
}

impl Door {
    /// The status that somebody gets who has this role in the workspace, or none, where `usual` is that of those who may.
    pub(super) fn status(self, role: Option<Role>, usual: u16) -> u16 {
        match (self, role) {
            (Self::Open | Self::User, _) => usual,
            (Self::Keeper, Some(role)) if role >= Role::Admin => usual,
            (Self::Member(least), Some(role)) if role >= least => usual,
            (Self::Member(_), Some(_)) => 403,
            (Self::Operator | Self::Keeper | Self::Member(_), _) => 404,
        }
    }
}

/// Members of any role.
pub(super) const VIEWER: Door = Door::Member(Role::Viewer);
/// Members and up.
pub(super) const MEMBER: Door = Door::Member(Role::Member);
/// Admins and up.
pub(super) const ADMIN: Door = Door::Member(Role::Admin);

/// A page.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageRow {
    /// The route, as the console mounts it.
    pub(super) route: &'static str,
    /// An address that it answers, with the things of the stage in braces.
    pub(super) address: &'static str,
    pub(super) door: Door,
    /// The status for those who may see it.
    pub(super) status: u16,
}

/// A page that shows something.
pub(super) const fn page(route: &'static str, door: Door) -> PageRow {
    PageRow {
        route,
        address: route,
        door,
        status: 200,
    }
}

impl PageRow {
    /// The same by another address.
    pub(super) const fn at(self, address: &'static str) -> Self {
        Self { address, ..self }
    }

    /// The same that answers with another status.
    pub(super) const fn answers(self, status: u16) -> Self {
        Self { status, ..self }
    }
}

/// A field of a form.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sent {
    /// A text that people type, with one that is in order.
    Typed(&'static str, &'static str),
    /// A choice, a box, a button or a hidden field, as a browser sends it, with the things of the stage in braces.
    Chosen(&'static str, &'static str),
    /// A hidden field that the page fills each time.
    Kept(&'static str),
}

impl Sent {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Typed(name, _) | Self::Chosen(name, _) | Self::Kept(name) => name,
        }
    }
}

/// A form, or a step of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct FormRow {
    /// The route that it is sent to, as the console mounts it.
    pub(super) route: &'static str,
    /// The address that it is sent to.
    pub(super) to: &'static str,
    /// The page that has it; empty: none of the stage.
    pub(super) page: &'static str,
    pub(super) door: Door,
    /// Its fields without the token.
    pub(super) fields: &'static [Sent],
    /// Whether it is taken from everybody who knows its address, as mail programs send it.
    pub(super) is_by_link: bool,
    /// Whether its answer shows in a frame of another page.
    pub(super) is_framed: bool,
}

/// A form that stands on the page of its own route.
pub(super) const fn form(route: &'static str, door: Door, fields: &'static [Sent]) -> FormRow {
    FormRow {
        route,
        to: route,
        page: route,
        door,
        fields,
        is_by_link: false,
        is_framed: false,
    }
}

impl FormRow {
    /// The same on another page.
    pub(super) const fn on(self, page: &'static str) -> Self {
        Self { page, ..self }
    }

    /// The same that no page of the stage has.
    pub(super) const fn unseen(self) -> Self {
        Self { page: "", ..self }
    }

    /// The same with another address.
    pub(super) const fn to(self, to: &'static str) -> Self {
        Self { to, ..self }
    }

    pub(super) const fn by_link(self) -> Self {
        Self {
            is_by_link: true,
            ..self
        }
    }

    pub(super) const fn framed(self) -> Self {
        Self {
            is_framed: true,
            ..self
        }
    }
}
