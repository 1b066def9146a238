//! The tables that the bases read and write.

diesel::table! {
    uptime_monitors (domain_id) {
        domain_id -> Uuid,
        settings -> Jsonb,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        updated_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    domains (id) {
        id -> Uuid,
        workspace_id -> Uuid,
    }
}

diesel::table! {
    credit_balances (workspace_id) {
        workspace_id -> Uuid,
        used -> BigInt,
    }
}

diesel::table! {
    credit_log (workspace_id, occurred_at, request_id) {
        workspace_id -> Uuid,
        occurred_at -> Timestamptz,
        request_id -> Uuid,
        credential_id -> Uuid,
        domain_id -> Nullable<Uuid>,
        operation -> Text,
        status -> SmallInt,
        cost -> Integer,
        cache -> Text,
    }
}
