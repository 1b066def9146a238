//! The tables, as the migrations leave them. A test holds this against the database.

use pharos_persistence::schema::plans;

diesel::table! {
    plan_quotas (plan_key, resource) {
        plan_key -> Text,
        resource -> Text,
        quota_limit -> BigInt,
    }
}

diesel::table! {
    quota_usage (workspace_id, resource, period_start) {
        workspace_id -> Uuid,
        resource -> Text,
        period_start -> Date,
        used -> BigInt,
    }
}

diesel::table! {
    refused_requests (workspace_id, at, request_id) {
        workspace_id -> Uuid,
        at -> Timestamptz,
        request_id -> Uuid,
        credential_id -> Uuid,
        operation -> Nullable<Text>,
        problem -> Text,
        about -> Nullable<Text>,
        source -> Nullable<Inet>,
    }
}

diesel::allow_tables_to_appear_in_same_query!(plan_quotas, quota_usage, refused_requests,);

// Tables of the kit that these are joined with.
pharos_persistence::allow_join!(plan_quotas, plans);
