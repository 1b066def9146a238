//! The tables, as diesel sees them.

diesel::table! {
    report_templates (id) {
        id -> Uuid,
        domain_id -> Uuid,
        workspace_id -> Uuid,
        name -> Text,
        name_key -> Text,
        description -> Nullable<Text>,
        sections -> Jsonb,
        locale -> Text,
        format -> Text,
        default_period -> Text,
        compare_previous -> Bool,
        branding -> Jsonb,
        schedule -> Nullable<Jsonb>,
        next_run_at -> Nullable<Timestamptz>,
        leased_until -> Nullable<Timestamptz>,
        requester_kind -> Text,
        credential_id -> Uuid,
        last_run_at -> Nullable<Timestamptz>,
        created_by -> Nullable<Uuid>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        recipients_count -> Integer,
    }
}

diesel::table! {
    report_runs (run_id) {
        run_id -> Uuid,
        template_id -> Nullable<Uuid>,
        template_name -> Text,
        trigger -> Text,
        format -> Text,
        period -> Nullable<Text>,
        first_day -> Date,
        last_day -> Date,
        ordered -> Jsonb,
        result -> Nullable<Jsonb>,
        has_result -> Bool,
        is_mailed -> Bool,
        is_over -> Bool,
    }
}

diesel::table! {
    report_recipients (id) {
        id -> Uuid,
        template_id -> Uuid,
        address -> Text,
        address_key -> Text,
        asked_at -> Timestamptz,
        asked_until -> Timestamptz,
        link_digest -> Nullable<Binary>,
        confirmed_at -> Nullable<Timestamptz>,
        unsubscribed_at -> Nullable<Timestamptz>,
        unsubscribe_token -> Uuid,
    }
}

diesel::table! {
    report_questions (id) {
        id -> Uuid,
        workspace_id -> Uuid,
        address_digest -> Binary,
        is_refusal -> Bool,
        at -> Timestamptz,
    }
}

diesel::table! {
    report_deliveries (id) {
        id -> Uuid,
        run_id -> Uuid,
        recipient_id -> Uuid,
        state -> Text,
        attempts -> Integer,
        last_error -> Nullable<Text>,
        created_at -> Timestamptz,
        ended_at -> Nullable<Timestamptz>,
    }
}
