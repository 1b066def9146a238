//! The tables, as the migrations leave them. A test holds this against the database.

diesel::table! {
    search_properties (domain_id) {
        domain_id -> Uuid,
        workspace_id -> Uuid,
        site_url -> Text,
        permission -> Text,
        status -> Text,
        search_types -> Array<Text>,
        linked_at -> Timestamptz,
        linked_by -> Nullable<Uuid>,
        last_sync_at -> Nullable<Timestamptz>,
        last_sync_status -> Nullable<Text>,
        data_through -> Nullable<Date>,
        provisional_through -> Nullable<Date>,
        first_incomplete_date -> Nullable<Date>,
        first_incomplete_hour -> Nullable<Timestamptz>,
        backfill_from -> Nullable<Date>,
        account_id -> Nullable<Uuid>,
        next_sync_at -> Timestamptz,
        newest_due_at -> Timestamptz,
        leased_until -> Nullable<Timestamptz>,
        sync_failures -> Integer,
        last_failure -> Nullable<Text>,
    }
}

diesel::table! {
    search_accounts (id) {
        id -> Uuid,
        workspace_id -> Uuid,
        kind -> Text,
        label -> Text,
        sealed -> Binary,
        created_at -> Timestamptz,
        created_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    search_consents (state) {
        state -> Binary,
        session -> Binary,
        domain_id -> Uuid,
        asked_at -> Timestamptz,
        taken_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    search_imports (domain_id, site_url, search_type) {
        domain_id -> Uuid,
        site_url -> Text,
        search_type -> SmallInt,
        reached -> Date,
    }
}

diesel::table! {
    search_sources (domain_id) {
        domain_id -> Uuid,
        site_url -> Text,
        others_until -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    search_missed_days (domain_id, search_type, date) {
        domain_id -> Uuid,
        search_type -> SmallInt,
        date -> Date,
        tried_at -> Timestamptz,
    }
}

diesel::table! {
    search_configs (domain_id) {
        domain_id -> Uuid,
        settings -> Jsonb,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        updated_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    search_values (id) {
        id -> BigInt,
        domain_id -> Uuid,
        kind -> SmallInt,
        value -> Text,
        last_month -> Date,
    }
}

diesel::table! {
    search_days (domain_id, search_type, date) {
        domain_id -> Uuid,
        search_type -> SmallInt,
        date -> Date,
        is_final -> Bool,
        clicks -> BigInt,
        impressions -> BigInt,
        position_sum -> Double,
        imported_at -> Timestamptz,
    }
}

diesel::table! {
    search_places (domain_id, search_type, date, country, device) {
        domain_id -> Uuid,
        search_type -> SmallInt,
        date -> Date,
        country -> Text,
        device -> SmallInt,
        clicks -> BigInt,
        impressions -> BigInt,
        position_sum -> Double,
    }
}

diesel::table! {
    search_queries (domain_id, search_type, date, query_id, country, device) {
        domain_id -> Uuid,
        search_type -> SmallInt,
        date -> Date,
        query_id -> BigInt,
        country -> Text,
        device -> SmallInt,
        clicks -> BigInt,
        impressions -> BigInt,
        position_sum -> Double,
    }
}

diesel::table! {
    search_pages (domain_id, search_type, date, page_id, country, device) {
        domain_id -> Uuid,
        search_type -> SmallInt,
        date -> Date,
        page_id -> BigInt,
        country -> Text,
        device -> SmallInt,
        clicks -> BigInt,
        impressions -> BigInt,
        position_sum -> Double,
    }
}

diesel::table! {
    search_pairs (domain_id, search_type, date, query_id, page_id, country, device) {
        domain_id -> Uuid,
        search_type -> SmallInt,
        date -> Date,
        query_id -> BigInt,
        page_id -> BigInt,
        country -> Text,
        device -> SmallInt,
        clicks -> BigInt,
        impressions -> BigInt,
        position_sum -> Double,
    }
}

diesel::table! {
    search_appearances (domain_id, search_type, date, appearance_id, page_id) {
        domain_id -> Uuid,
        search_type -> SmallInt,
        date -> Date,
        appearance_id -> BigInt,
        page_id -> BigInt,
        clicks -> BigInt,
        impressions -> BigInt,
        position_sum -> Double,
    }
}

diesel::table! {
    search_hours (domain_id, search_type, hour) {
        domain_id -> Uuid,
        search_type -> SmallInt,
        hour -> Timestamptz,
        clicks -> BigInt,
        impressions -> BigInt,
        position_sum -> Double,
    }
}

diesel::table! {
    search_sums (domain_id, search_type, kind, date, value_id) {
        domain_id -> Uuid,
        search_type -> SmallInt,
        kind -> SmallInt,
        date -> Date,
        value_id -> BigInt,
        clicks -> BigInt,
        impressions -> BigInt,
        position_sum -> Double,
    }
}

diesel::table! {
    search_month_sums (domain_id, search_type, kind, month, value_id) {
        domain_id -> Uuid,
        search_type -> SmallInt,
        kind -> SmallInt,
        month -> Date,
        value_id -> BigInt,
        clicks -> BigInt,
        impressions -> BigInt,
        position_sum -> Double,
    }
}

diesel::table! {
    search_months (domain_id, search_type, month) {
        domain_id -> Uuid,
        search_type -> SmallInt,
        month -> Date,
        summed_at -> Timestamptz,
    }
}

diesel::table! {
    search_submitted_sitemaps (domain_id, path) {
        domain_id -> Uuid,
        site_url -> Text,
        path -> Text,
        form -> Nullable<Text>,
        is_index -> Bool,
        is_pending -> Bool,
        last_submitted_at -> Nullable<Timestamptz>,
        last_downloaded_at -> Nullable<Timestamptz>,
        errors -> BigInt,
        warnings -> BigInt,
        contents -> Jsonb,
    }
}

diesel::table! {
    indexing_sites (domain_id) {
        domain_id -> Uuid,
        workspace_id -> Uuid,
        next_round_at -> Timestamptz,
        leased_until -> Nullable<Timestamptz>,
        round_at -> Nullable<Timestamptz>,
        gathered_at -> Nullable<Timestamptz>,
        hurried_at -> Nullable<Timestamptz>,
        failures -> Integer,
        last_failure -> Nullable<Text>,
        spent_on -> Nullable<Date>,
        spent -> Integer,
        uncounted_since -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    indexing_urls (id) {
        id -> Uuid,
        domain_id -> Uuid,
        url -> Text,
        source -> Text,
        is_valuable -> Bool,
        created_at -> Timestamptz,
        next_inspection_at -> Nullable<Timestamptz>,
        failures -> Integer,
        last_error_code -> Nullable<Text>,
        inspected_at -> Nullable<Timestamptz>,
        verdict -> Nullable<Text>,
        coverage_state -> Nullable<Text>,
        coverage_reason -> Nullable<Text>,
        robots_txt_state -> Nullable<Text>,
        indexing_state -> Nullable<Text>,
        page_fetch_state -> Nullable<Text>,
        crawled_as -> Nullable<Text>,
        last_crawl_at -> Nullable<Timestamptz>,
        google_canonical -> Nullable<Text>,
        user_canonical -> Nullable<Text>,
        canonical_kind -> Nullable<Text>,
        has_rich_errors -> Bool,
        inspection -> Nullable<Jsonb>,
        clicks -> BigInt,
        has_changed -> Bool,
        listed_at -> Timestamptz,
    }
}

diesel::table! {
    indexing_removed (domain_id, url) {
        domain_id -> Uuid,
        url -> Text,
        removed_at -> Timestamptz,
    }
}

diesel::table! {
    indexing_rich_types (url_id, kind) {
        url_id -> Uuid,
        domain_id -> Uuid,
        kind -> Text,
        items -> Integer,
        severity -> Nullable<Text>,
    }
}

diesel::table! {
    indexing_rich_issues (url_id, kind, severity, message) {
        url_id -> Uuid,
        domain_id -> Uuid,
        kind -> Text,
        severity -> Text,
        message -> Text,
    }
}

diesel::table! {
    indexing_results (url_id, inspected_at) {
        url_id -> Uuid,
        inspected_at -> Timestamptz,
        domain_id -> Uuid,
        verdict -> Text,
        coverage_reason -> Nullable<Text>,
        page_fetch_state -> Text,
        last_crawl_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    indexing_changes (domain_id, changed_at, id) {
        id -> Uuid,
        domain_id -> Uuid,
        url_id -> Uuid,
        changed_at -> Timestamptz,
        field -> Text,
        before -> Nullable<Text>,
        after -> Nullable<Text>,
        direction -> Text,
    }
}

diesel::table! {
    indexing_days (domain_id, day) {
        domain_id -> Uuid,
        day -> Date,
        inspected -> BigInt,
        indexed -> BigInt,
        unknown -> BigInt,
        by_reason -> Jsonb,
        fetch_errors -> BigInt,
        canonical_mismatches -> BigInt,
        rich_result_errors -> BigInt,
        median_crawl_age_days -> Nullable<Double>,
    }
}

diesel::table! {
    indexing_quota (site_url, day) {
        site_url -> Text,
        day -> Date,
        used -> Integer,
        rotation -> Integer,
        minute -> Timestamptz,
        minute_used -> Integer,
    }
}

diesel::table! {
    indexing_runs (run_id) {
        run_id -> Uuid,
        domain_id -> Uuid,
        site_url -> Text,
        label -> Nullable<Text>,
        has_results -> Bool,
        quota_day -> Nullable<Date>,
        unspent -> Integer,
    }
}

diesel::table! {
    indexing_run_urls (run_id, place) {
        run_id -> Uuid,
        place -> Integer,
        url -> Text,
        url_id -> Uuid,
        status -> Nullable<Text>,
        error_code -> Nullable<Text>,
        inspected_at -> Nullable<Timestamptz>,
        inspection -> Nullable<Jsonb>,
    }
}
