//! Macros for closed enums that have a name in answers and in stores.

/// Declares a closed enum with one name a variant, and what follows from it: `ALL`, `name`, and with the feature `monitoring`
/// serde, with `openapi` its schema, called as the type is or `as` something else.
macro_rules! names {
    ($(#[$meta:meta])* $kind:ident $(as $schema:literal)? { $($(#[$doc:meta])* $name:ident = $wire:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "monitoring", derive(serde::Serialize, serde::Deserialize))]
        pub enum $kind {
            $($(#[$doc])* #[cfg_attr(feature = "monitoring", serde(rename = $wire))] $name,)+
        }

        impl $kind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// Its name in the API.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $wire,)+
                }
            }

            /// The one that is called so.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.name() == name)
            }
        }

        #[cfg(feature = "openapi")]
        impl utoipa::PartialSchema for $kind {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                utoipa::openapi::schema::ObjectBuilder::new()
                    .title(Some(<Self as utoipa::ToSchema>::name()))
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .enum_values(Some([$($wire),+]))
                    .into()
            }
        }

        #[cfg(feature = "openapi")]
        impl utoipa::ToSchema for $kind {
            fn name() -> std::borrow::Cow<'static, str> {
                [$($schema,)? stringify!($kind)][0].into()
            }
        }
    };
}

/// Declares the kinds of findings, as `names!` has it, each with how much it matters.
macro_rules! codes {
    (
        $(#[$meta:meta])* $kind:ident as $schema:literal {
            $($(#[$doc:meta])* $name:ident = $wire:literal, $severity:ident;)+
        }
    ) => {
        names! {
            $(#[$meta])* $kind as $schema {
                $($(#[$doc])* $name = $wire,)+
            }
        }

        impl $kind {
            /// How much it matters.
            #[must_use]
            pub const fn severity(self) -> crate::robots::issue::IssueSeverity {
                match self {
                    $(Self::$name => crate::robots::issue::IssueSeverity::$severity,)+
                }
            }
        }
    };
}
