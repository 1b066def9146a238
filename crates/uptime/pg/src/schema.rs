//! The tables, as the migrations leave them. A test holds this against the database.

use pharos_persistence::schema::domains;

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
        workspace_id -> Nullable<Uuid>,
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
    status_pages (id) {
        id -> Uuid,
        workspace_id -> Uuid,
        slug -> Text,
        title -> Text,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    status_page_sites (page_id, domain_id) {
        page_id -> Uuid,
        domain_id -> Uuid,
        position -> Integer,
    }
}

diesel::allow_tables_to_appear_in_same_query!(
    regions,
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
);

// Tables of the kit that these are joined with.
pharos_persistence::allow_join!(uptime_monitors, domains);
