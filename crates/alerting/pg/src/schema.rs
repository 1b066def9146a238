//! The tables, as diesel sees them.

diesel::table! {
    alert_rules (id) {
        id -> Uuid,
        domain_id -> Uuid,
        workspace_id -> Uuid,
        name -> Nullable<Text>,
        module -> Text,
        metric -> Text,
        operator -> Text,
        threshold -> Double,
        comparison_window -> Nullable<Text>,
        evaluation_window -> Text,
        min_sample -> Nullable<Integer>,
        url -> Nullable<Text>,
        form_factor -> Nullable<Text>,
        search_type -> Nullable<Text>,
        severity -> Text,
        enabled -> Bool,
        cooldown_minutes -> Integer,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        created_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    alert_evaluations (rule_id) {
        rule_id -> Uuid,
        domain_id -> Uuid,
        workspace_id -> Uuid,
        next_evaluation_at -> Nullable<Timestamptz>,
        leased_until -> Nullable<Timestamptz>,
        state -> Text,
        last_value -> Nullable<Double>,
        last_evaluated_at -> Nullable<Timestamptz>,
        last_fired_at -> Nullable<Timestamptz>,
        is_open -> Bool,
        put_off_until -> Nullable<Timestamptz>,
        told_through -> Nullable<Date>,
    }
}

diesel::table! {
    notification_reads (user_id, notification_id) {
        user_id -> Uuid,
        notification_id -> Uuid,
        read_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    notification_read_marks (user_id, domain_id, kind, read_before) {
        user_id -> Uuid,
        domain_id -> Uuid,
        kind -> Text,
        read_before -> Timestamptz,
        read_at -> Timestamptz,
    }
}

diesel::table! {
    alert_history (id) {
        id -> Uuid,
        rule_id -> Nullable<Uuid>,
        domain_id -> Uuid,
        workspace_id -> Uuid,
        notification_id -> Uuid,
        module -> Text,
        metric -> Text,
        metric_label -> Text,
        unit -> Text,
        operator -> Text,
        threshold -> Double,
        comparison_window -> Nullable<Text>,
        evaluation_window -> Text,
        url -> Nullable<Text>,
        form_factor -> Nullable<Text>,
        search_type -> Nullable<Text>,
        value -> Double,
        baseline_value -> Nullable<Double>,
        change_pct -> Nullable<Double>,
        severity -> Text,
        title -> Text,
        message -> Text,
        context -> Jsonb,
        fired_at -> Timestamptz,
        resolved_at -> Nullable<Timestamptz>,
        end_reason -> Nullable<Text>,
    }
}

diesel::table! {
    notifications (id) {
        id -> Uuid,
        workspace_id -> Uuid,
        domain_id -> Nullable<Uuid>,
        kind -> Text,
        severity -> Text,
        module -> Nullable<Text>,
        title -> Text,
        body -> Text,
        data -> Jsonb,
        alert_id -> Nullable<Uuid>,
        resource_path -> Nullable<Text>,
        created_at -> Timestamptz,
        resolved_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    alert_pending_events (number) {
        number -> BigInt,
        rule_id -> Uuid,
        at -> Timestamptz,
        context -> Jsonb,
        events -> Integer,
    }
}

diesel::table! {
    alert_wakes (number) {
        number -> BigInt,
        domain_id -> Uuid,
    }
}

diesel::allow_tables_to_appear_in_same_query!(alert_rules, alert_evaluations);

diesel::table! {
    alert_channels (id) {
        id -> Uuid,
        workspace_id -> Uuid,
        domain_id -> Nullable<Uuid>,
        name -> Text,
        target -> Jsonb,
        min_severity -> Text,
        modules -> Nullable<Array<Text>>,
        quiet_hours -> Nullable<Text>,
        off_reason -> Nullable<Text>,
        failing_since -> Nullable<Timestamptz>,
        failure_told_at -> Nullable<Timestamptz>,
        next_send_at -> Nullable<Timestamptz>,
        unsubscribe_token -> Nullable<Uuid>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        secrets -> Nullable<Binary>,
        unsubscribe_digest -> Nullable<Binary>,
        crowding_told_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    alert_deliveries (id) {
        id -> Uuid,
        channel_id -> Uuid,
        notification_id -> Nullable<Uuid>,
        event -> Text,
        state -> Text,
        taken_until -> Nullable<Timestamptz>,
        attempts -> Integer,
        last_error -> Nullable<Text>,
        created_at -> Timestamptz,
        ended_at -> Nullable<Timestamptz>,
        is_alone -> Bool,
        sent_again_at -> Nullable<Timestamptz>,
        is_critical -> Bool,
    }
}

diesel::allow_tables_to_appear_in_same_query!(alert_deliveries, notifications, alert_history);
