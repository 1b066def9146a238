//! The tables, as the migrations leave them. A test holds this against the database.

diesel::table! {
    plans (key) {
        key -> Text,
        name -> Text,
        credits_per_cycle -> BigInt,
        modules -> Array<Text>,
    }
}

diesel::table! {
    users (id) {
        id -> Uuid,
        email -> Text,
        name -> Text,
        disabled_at -> Nullable<Timestamptz>,
        created_at -> Timestamptz,
        is_operator -> Bool,
    }
}

diesel::table! {
    workspaces (id) {
        id -> Uuid,
        name -> Text,
        plan_key -> Text,
        subscription_status -> Text,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    members (workspace_id, user_id) {
        workspace_id -> Uuid,
        user_id -> Uuid,
        role -> Text,
        created_at -> Timestamptz,
        credit_cap -> Nullable<BigInt>,
    }
}

diesel::table! {
    domains (id) {
        id -> Uuid,
        workspace_id -> Uuid,
        hostname -> Text,
        display_name -> Nullable<Text>,
        verified -> Bool,
        timezone_hint -> Nullable<Text>,
        created_at -> Timestamptz,
        deleted_at -> Nullable<Timestamptz>,
        erasing_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    shared_secrets (name) {
        name -> Text,
        value -> Binary,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    sealing_keys (id) {
        id -> Uuid,
        sealed_table -> Text,
        value -> Binary,
        seals_from -> Timestamptz,
    }
}

diesel::table! {
    schema_functions (name) {
        name -> Text,
        digest -> Binary,
    }
}

diesel::table! {
    run_kinds (kind) {
        kind -> Text,
        module -> Text,
        label -> Text,
        path -> Text,
    }
}

diesel::table! {
    schema_needs (migration) {
        migration -> Text,
    }
}

diesel::table! {
    switches (name) {
        name -> Text,
        thrown_at -> Timestamptz,
    }
}

diesel::table! {
    audit_log (id) {
        id -> Uuid,
        at -> Timestamptz,
        actor -> Text,
        action -> Text,
        subject_kind -> Text,
        subject_id -> Text,
        details -> Jsonb,
        source -> Nullable<Inet>,
        workspace_id -> Nullable<Uuid>,
    }
}

diesel::table! {
    jobs (id) {
        id -> Uuid,
        kind -> Text,
        lane -> Nullable<Text>,
        payload -> Jsonb,
        state -> Text,
        run_at -> Timestamptz,
        leased_until -> Nullable<Timestamptz>,
        worker -> Nullable<Uuid>,
        attempts -> Integer,
        max_attempts -> Integer,
        last_error -> Nullable<Text>,
        created_at -> Timestamptz,
        finished_at -> Nullable<Timestamptz>,
        workspace_id -> Nullable<Uuid>,
        run_id -> Nullable<Uuid>,
        started_at -> Nullable<Timestamptz>,
        error_code -> Nullable<Text>,
        error_detail -> Nullable<Text>,
        total_items -> Nullable<Integer>,
        completed_items -> Nullable<Integer>,
        failed_items -> Nullable<Integer>,
        settled_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    runs (id) {
        id -> Uuid,
        domain_id -> Uuid,
        kind -> Text,
        status -> Text,
        requested_at -> Timestamptz,
        started_at -> Nullable<Timestamptz>,
        finished_at -> Nullable<Timestamptz>,
        result_seconds -> Nullable<Integer>,
        expires_at -> Nullable<Timestamptz>,
        total_items -> Nullable<Integer>,
        completed_items -> Nullable<Integer>,
        failed_items -> Nullable<Integer>,
        error_code -> Nullable<Text>,
        error_detail -> Nullable<Text>,
        requester_kind -> Text,
        credential_id -> Uuid,
        credits_charged -> Integer,
        requested_items -> Nullable<Integer>,
    }
}

diesel::table! {
    wide_pulls (run_id) {
        run_id -> Uuid,
        report -> Text,
        first_day -> Date,
        last_day -> Date,
        asked -> Jsonb,
        total_rows -> Nullable<BigInt>,
        is_truncated -> Bool,
        has_rows -> Bool,
    }
}

diesel::table! {
    wide_pull_rows (run_id, place) {
        run_id -> Uuid,
        place -> Integer,
        cells -> Jsonb,
    }
}

diesel::table! {
    credit_balances (workspace_id) {
        workspace_id -> Uuid,
        cycle_start -> Timestamptz,
        cycle_end -> Timestamptz,
        used -> BigInt,
        granted -> BigInt,
        capped_members -> Integer,
    }
}

diesel::table! {
    credit_member_usage (workspace_id, user_id) {
        workspace_id -> Uuid,
        user_id -> Uuid,
        cycle_start -> Timestamptz,
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

diesel::table! {
    idempotency_records (credential_id, key) {
        credential_id -> Uuid,
        key -> Text,
        fingerprint -> Binary,
        status -> SmallInt,
        body -> Binary,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    set_aside (kind, subject) {
        kind -> Text,
        subject -> Text,
        reason -> Text,
        payload -> Nullable<Text>,
        first_at -> Timestamptz,
        last_at -> Timestamptz,
        times -> BigInt,
    }
}

diesel::table! {
    upkeep_failures (step) {
        step -> Text,
        reason -> Text,
        first_at -> Timestamptz,
        last_at -> Timestamptz,
        times -> BigInt,
    }
}

diesel::table! {
    metric_events (number) {
        number -> BigInt,
        domain_id -> Uuid,
        module -> Text,
        metric -> Text,
        at -> Timestamptz,
        recorded_at -> Timestamptz,
        context -> Jsonb,
    }
}

diesel::table! {
    notices (id) {
        id -> Uuid,
        workspace_id -> Uuid,
        domain_id -> Nullable<Uuid>,
        kind -> Text,
        severity -> Text,
        module -> Nullable<Text>,
        title -> Text,
        body -> Text,
        data -> Jsonb,
        resource_path -> Nullable<Text>,
        created_at -> Timestamptz,
    }
}

diesel::allow_tables_to_appear_in_same_query!(
    plans,
    users,
    workspaces,
    members,
    domains,
    shared_secrets,
    schema_functions,
    switches,
    audit_log,
    jobs,
    runs,
    wide_pulls,
    wide_pull_rows,
    credit_balances,
    credit_member_usage,
    credit_log,
    idempotency_records,
    set_aside,
);

/// Lets a group's table stand in one query with a table of the kit. diesel's own macro wants both in one crate.
#[macro_export]
macro_rules! allow_join {
    ($own:ident, $of_kit:ident) => {
        impl ::diesel::query_source::TableNotEqual<$of_kit::table> for $own::table {}
        impl ::diesel::query_source::TableNotEqual<$own::table> for $of_kit::table {}
    };
}
