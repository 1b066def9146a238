//! One macro for closed enums that have a name on the wire.

/// Declares a closed enum with one wire name a variant, and everything that follows from it:
/// `ALL`, `as_str`, `FromStr`, `Display`, serde and (feature `openapi`) its schema, called as the type is or, where
/// that would say too little beside those of other modules, `as` something else.
#[macro_export]
macro_rules! wire_enum {
    ($(#[$meta:meta])* $name:ident $(as $schema:literal)? { $($(#[$variant_meta:meta])* $variant:ident = $wire:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$variant_meta])* #[serde(rename = $wire)] $variant,)+
        }

        impl $name {
            /// Every value, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name on the wire and in the database.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire,)+ }
            }
        }

        // Written out, since utoipa's derive does not read wire names that come out of a macro.
        #[cfg(feature = "openapi")]
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                utoipa::openapi::schema::ObjectBuilder::new()
                    // By its name the document finds it wherever it is written out.
                    .title(Some(<Self as utoipa::ToSchema>::name()))
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .enum_values(Some([$($wire),+]))
                    .into()
            }
        }

        #[cfg(feature = "openapi")]
        impl utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                [$($schema,)? stringify!($name)][0].into()
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::store::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                match name {
                    $($wire => Ok(Self::$variant),)+
                    other => Err($crate::store::UnknownName::new(stringify!($name), other, &[$($wire),+])),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

/// The same for an enum that people read too: each value has one line of documentation, and `meaning` gives it.
#[macro_export]
macro_rules! documented_wire_enum {
    ($(#[$meta:meta])* $name:ident { $(#[doc = $doc:literal] $variant:ident = $wire:literal),+ $(,)? }) => {
        $crate::wire_enum! { $(#[$meta])* $name { $(#[doc = $doc] $variant = $wire),+ } }

        impl $name {
            /// Its meaning, as a sentence for people.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $doc.trim_ascii(),)+ }
            }
        }
    };
}
