//! The tables, as the migrations leave them. A test holds this against the database.

diesel::table! {
    synthetic_urls (id) {
        id -> Uuid,
        domain_id -> Uuid,
        workspace_id -> Uuid,
        settings -> Jsonb,
        secrets -> Nullable<Binary>,
        has_basic_auth -> Bool,
        has_cookie -> Bool,
        next_run_at -> Nullable<Timestamptz>,
        leased_until -> Nullable<Timestamptz>,
        planned_at -> Nullable<Timestamptz>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        deleted_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    synthetic_runs (id) {
        id -> Uuid,
        domain_id -> Uuid,
        url_id -> Nullable<Uuid>,
        job_id -> Nullable<Uuid>,
        url -> Text,
        profile_id -> Text,
        form_factor -> Text,
        trigger -> Text,
        status -> Text,
        requested_at -> Timestamptz,
        started_at -> Nullable<Timestamptz>,
        finished_at -> Nullable<Timestamptz>,
        error_code -> Nullable<Text>,
        error_detail -> Nullable<Text>,
        summary -> Nullable<Jsonb>,
        figures -> Jsonb,
        budgets -> Jsonb,
        images_until -> Nullable<Timestamptz>,
        files_until -> Nullable<Timestamptz>,
        engine_major -> Nullable<Text>,
    }
}

diesel::table! {
    synthetic_results (run_id) {
        run_id -> Uuid,
        audits -> Jsonb,
        opportunities -> Jsonb,
        resources -> Jsonb,
        third_parties -> Jsonb,
        filmstrip -> Jsonb,
    }
}

diesel::table! {
    synthetic_budgets (id) {
        id -> Uuid,
        domain_id -> Uuid,
        position -> Integer,
        url_id -> Nullable<Uuid>,
        profile_id -> Nullable<Text>,
        metric -> Text,
        bound -> Double,
        direction -> Text,
    }
}
