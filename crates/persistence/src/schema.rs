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
    }
}

diesel::table! {
    api_keys (id) {
        id -> Uuid,
        workspace_id -> Uuid,
        created_by -> Uuid,
        name -> Text,
        scopes -> Array<Text>,
        allowlist -> Nullable<Array<Text>>,
        created_at -> Timestamptz,
        expires_at -> Nullable<Timestamptz>,
        revoked_at -> Nullable<Timestamptz>,
        last_used_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    api_key_secrets (digest) {
        digest -> Binary,
        key_id -> Uuid,
        shown -> Text,
        created_at -> Timestamptz,
        valid_until -> Nullable<Timestamptz>,
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
    }
}

diesel::table! {
    regions (key) {
        key -> Text,
        registered_at -> Timestamptz,
    }
}

diesel::table! {
    uptime_monitors (domain_id) {
        domain_id -> Uuid,
        settings -> Jsonb,
        enabled -> Bool,
        interval_seconds -> Integer,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        updated_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    uptime_schedules (domain_id, region) {
        domain_id -> Uuid,
        region -> Text,
        next_check_at -> Timestamptz,
        leased_until -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    uptime_region_states (domain_id, region) {
        domain_id -> Uuid,
        region -> Text,
        state -> Jsonb,
    }
}

diesel::table! {
    uptime_spans (domain_id, region, started_at) {
        domain_id -> Uuid,
        region -> Text,
        state -> Text,
        started_at -> Timestamptz,
        ended_at -> Timestamptz,
    }
}

diesel::table! {
    uptime_incidents (id) {
        id -> Uuid,
        domain_id -> Uuid,
        started_at -> Timestamptz,
        confirmed_at -> Timestamptz,
        resolved_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    uptime_checks (domain_id, checked_at, id) {
        id -> Uuid,
        domain_id -> Uuid,
        region -> Text,
        checked_at -> Timestamptz,
        outcome -> Text,
        run_id -> Nullable<Uuid>,
        status_code -> Nullable<Integer>,
        http_version -> Nullable<Text>,
        response_ms -> Nullable<Double>,
        dns_ms -> Nullable<Double>,
        connect_ms -> Nullable<Double>,
        tls_ms -> Nullable<Double>,
        ttfb_ms -> Nullable<Double>,
        download_ms -> Nullable<Double>,
        redirect_count -> Integer,
        final_url -> Nullable<Text>,
        response_bytes -> Nullable<BigInt>,
        ip_address -> Nullable<Inet>,
        error_class -> Nullable<Text>,
        error_message -> Nullable<Text>,
        keyword_matched -> Nullable<Bool>,
        retry_index -> Integer,
    }
}

diesel::allow_tables_to_appear_in_same_query!(
    plans,
    users,
    workspaces,
    members,
    domains,
    api_keys,
    api_key_secrets,
    switches,
    audit_log,
    regions,
    uptime_monitors,
    uptime_schedules,
    uptime_region_states,
    uptime_spans,
    uptime_incidents,
    uptime_checks,
);
