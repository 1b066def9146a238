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
    shared_secrets (name) {
        name -> Text,
        value -> Binary,
        created_at -> Timestamptz,
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
        name -> Nullable<Text>,
        continent -> Nullable<Text>,
        country -> Nullable<Text>,
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
        registrable_domain -> Nullable<Text>,
    }
}

diesel::table! {
    domain_registrations (name) {
        name -> Text,
        next_check_at -> Timestamptz,
        leased_until -> Nullable<Timestamptz>,
        asked_at -> Nullable<Timestamptz>,
        failures -> Integer,
        last_failure -> Nullable<Text>,
        answer -> Nullable<Jsonb>,
        answered_at -> Nullable<Timestamptz>,
        changes -> Jsonb,
    }
}

diesel::table! {
    uptime_schedules (domain_id, region) {
        domain_id -> Uuid,
        region -> Text,
        next_check_at -> Timestamptz,
        leased_until -> Nullable<Timestamptz>,
        workspace_id -> Uuid,
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
        class -> Text,
        severity -> Text,
        status_code -> Nullable<Integer>,
        error_message -> Nullable<Text>,
        resolved_ip -> Nullable<Inet>,
        response_headers -> Jsonb,
        checks_failed -> Integer,
        during_maintenance -> Bool,
    }
}

diesel::table! {
    uptime_incident_events (incident_id, number) {
        incident_id -> Uuid,
        number -> BigInt,
        at -> Timestamptz,
        event -> Text,
        region -> Nullable<Text>,
        detail -> Nullable<Text>,
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

diesel::table! {
    uptime_rollups (domain_id, grain, starts_at, region) {
        domain_id -> Uuid,
        grain -> Text,
        starts_at -> Timestamptz,
        region -> Text,
        counts -> Array<BigInt>,
        least_us -> Nullable<BigInt>,
        most_us -> Nullable<BigInt>,
        samples -> Array<BigInt>,
        micros -> Array<BigInt>,
    }
}

diesel::table! {
    uptime_distributions (domain_id, grain, measure, starts_at, region) {
        domain_id -> Uuid,
        grain -> Text,
        measure -> Text,
        starts_at -> Timestamptz,
        region -> Text,
        times -> Binary,
    }
}

diesel::table! {
    uptime_rollup_progress (domain_id) {
        domain_id -> Uuid,
        rolled_until -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    uptime_certificates (domain_id) {
        domain_id -> Uuid,
        digest -> Binary,
        checked_at -> Timestamptz,
        sighting -> Jsonb,
    }
}

diesel::table! {
    uptime_certificate_history (domain_id, fingerprint) {
        domain_id -> Uuid,
        fingerprint -> Text,
        first_seen_at -> Timestamptz,
        last_seen_at -> Timestamptz,
        replaced_at -> Nullable<Timestamptz>,
        issuer_common_name -> Nullable<Text>,
        valid_from -> Timestamptz,
        valid_until -> Timestamptz,
        names_count -> Integer,
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
    oauth_clients (id) {
        id -> Uuid,
        name -> Nullable<Text>,
        redirect_uris -> Array<Text>,
        auth_method -> Text,
        secret_digest -> Nullable<Binary>,
        verified_at -> Nullable<Timestamptz>,
        created_at -> Timestamptz,
        granted_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    oauth_grants (id) {
        id -> Uuid,
        client_id -> Uuid,
        user_id -> Uuid,
        resource -> Text,
        scopes -> Array<Text>,
        workspace_ids -> Array<Uuid>,
        created_at -> Timestamptz,
        revoked_at -> Nullable<Timestamptz>,
        last_used_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    oauth_decisions (request_id) {
        request_id -> Uuid,
        lapses_at -> Timestamptz,
    }
}

diesel::table! {
    oauth_codes (digest) {
        digest -> Binary,
        client_id -> Uuid,
        user_id -> Uuid,
        redirect_uri -> Text,
        resource -> Text,
        scopes -> Array<Text>,
        workspace_ids -> Array<Uuid>,
        code_challenge -> Text,
        expires_at -> Timestamptz,
        grant_id -> Nullable<Uuid>,
    }
}

diesel::table! {
    oauth_refresh_tokens (digest) {
        digest -> Binary,
        grant_id -> Uuid,
        issued_at -> Timestamptz,
        expires_at -> Timestamptz,
        superseded_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    oauth_signing_keys (kid) {
        kid -> Text,
        private_key -> Binary,
        signs_from -> Timestamptz,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    user_passwords (user_id) {
        user_id -> Uuid,
        hash -> Text,
        changed_at -> Timestamptz,
    }
}

diesel::table! {
    sessions (digest) {
        digest -> Binary,
        user_id -> Uuid,
        signed_in_at -> Timestamptz,
        last_used_at -> Timestamptz,
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
    sign_in_links (digest) {
        digest -> Binary,
        user_id -> Uuid,
        expires_at -> Timestamptz,
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
    shared_secrets,
    switches,
    audit_log,
    regions,
    jobs,
    uptime_monitors,
    domain_registrations,
    uptime_schedules,
    uptime_region_states,
    uptime_spans,
    uptime_incidents,
    uptime_incident_events,
    uptime_checks,
    uptime_rollups,
    uptime_distributions,
    uptime_rollup_progress,
    uptime_certificates,
    uptime_certificate_history,
    credit_balances,
    credit_member_usage,
    credit_log,
    idempotency_records,
    plan_quotas,
    quota_usage,
    oauth_clients,
    oauth_grants,
    oauth_decisions,
    oauth_codes,
    oauth_refresh_tokens,
    oauth_signing_keys,
    user_passwords,
    sessions,
    sign_in_links,
);
