//! The tables, as the migrations leave them. A test holds this against the database.

use pharos_persistence::schema::domains;

diesel::table! {
    collect_sites (domain_id) {
        domain_id -> Uuid,
        site_key -> Text,
        secret_digest -> Nullable<Binary>,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    collect_salts (day) {
        day -> Date,
        salt -> Binary,
    }
}

diesel::table! {
    collect_bots (domain_id, day) {
        domain_id -> Uuid,
        day -> Date,
        beacons -> BigInt,
    }
}

diesel::allow_tables_to_appear_in_same_query!(collect_sites, collect_salts, collect_bots,);

// Tables of the kit that these are joined with.
pharos_persistence::allow_join!(collect_sites, domains);
