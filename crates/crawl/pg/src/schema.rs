//! The tables, as the migrations leave them. A test holds this against the database.

diesel::table! {
    robots_versions (id) {
        id -> Uuid,
        domain_id -> Uuid,
        detected_at -> Timestamptz,
        replaced_at -> Nullable<Timestamptz>,
        state -> Text,
        status_code -> Integer,
        content -> Nullable<Binary>,
        sha256 -> Text,
        size_bytes -> Integer,
        rules_added -> Integer,
        rules_removed -> Integer,
        groups_changed -> Integer,
        sitemaps_changed -> Integer,
        impact -> Text,
        change_summary -> Text,
        access_changes -> Jsonb,
        issues -> Jsonb,
        issues_added -> Jsonb,
        issues_resolved -> Jsonb,
    }
}

diesel::table! {
    robots_sites (domain_id) {
        domain_id -> Uuid,
        workspace_id -> Uuid,
        next_check_at -> Timestamptz,
        leased_until -> Nullable<Timestamptz>,
        robots_url -> Nullable<Text>,
        state -> Nullable<Text>,
        status_code -> Nullable<Integer>,
        last_checked_at -> Nullable<Timestamptz>,
        last_changed_at -> Nullable<Timestamptz>,
        failures -> Integer,
        version_id -> Nullable<Uuid>,
        good_fetch -> Nullable<Jsonb>,
        issues -> Jsonb,
        issue_counts -> Jsonb,
        sitemaps -> Jsonb,
        sitemaps_asked_at -> Nullable<Timestamptz>,
        blocks_all -> Nullable<Bool>,
        blocks_googlebot -> Nullable<Bool>,
        failing_test_urls -> Integer,
        interval_seconds -> Integer,
    }
}

diesel::table! {
    robots_checks (domain_id, checked_at, id) {
        id -> Uuid,
        domain_id -> Uuid,
        checked_at -> Timestamptz,
        run_id -> Nullable<Uuid>,
        outcome -> Text,
        status_code -> Nullable<Integer>,
        response_ms -> Nullable<Double>,
        size_bytes -> Nullable<Integer>,
        error_class -> Nullable<Text>,
        version_id -> Nullable<Uuid>,
    }
}

diesel::table! {
    robots_test_urls (id) {
        id -> Uuid,
        domain_id -> Uuid,
        position -> Integer,
        url -> Text,
        user_agent -> Text,
        expectation -> Text,
    }
}

diesel::table! {
    sitemap_sites (domain_id) {
        domain_id -> Uuid,
        workspace_id -> Uuid,
        next_check_at -> Timestamptz,
        leased_until -> Nullable<Timestamptz>,
        last_checked_at -> Nullable<Timestamptz>,
        last_changed_at -> Nullable<Timestamptz>,
        robots_declared -> Bool,
        figures -> Nullable<Jsonb>,
        figures_at -> Nullable<Timestamptz>,
        conflicts -> Nullable<Jsonb>,
        sampled_through -> Nullable<Uuid>,
        interval_seconds -> Integer,
    }
}

diesel::table! {
    sitemap_files (id) {
        id -> Uuid,
        domain_id -> Uuid,
        url -> Text,
        url_key -> Uuid,
        parent_id -> Nullable<Uuid>,
        parent_missed_at -> Nullable<Timestamptz>,
        in_robots -> Bool,
        robots_missed_at -> Nullable<Timestamptz>,
        is_manual -> Bool,
        is_default -> Bool,
        depth -> Integer,
        found_at -> Timestamptz,
        kind -> Text,
        status -> Text,
        status_code -> Nullable<Integer>,
        entries -> Nullable<BigInt>,
        size_bytes -> Nullable<BigInt>,
        uncompressed_bytes -> Nullable<BigInt>,
        is_gzip -> Nullable<Bool>,
        index_lastmod -> Nullable<Timestamptz>,
        newest_lastmod -> Nullable<Timestamptz>,
        fetched_at -> Nullable<Timestamptz>,
        changed_at -> Nullable<Timestamptz>,
        good_at -> Nullable<Timestamptz>,
        response_ms -> Nullable<Double>,
        failures -> Integer,
        over_limits -> Bool,
        validators -> Nullable<Jsonb>,
        sha256 -> Nullable<Text>,
        stopped_at -> Nullable<Timestamptz>,
        is_forgotten -> Bool,
        removed_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    sitemap_names (file_id) {
        file_id -> Uuid,
        keys -> Array<Uuid>,
    }
}

diesel::table! {
    sitemap_urls (file_id, url_key) {
        file_id -> Uuid,
        url_key -> Uuid,
        domain_id -> Uuid,
        url -> Text,
        lastmod -> Nullable<Timestamptz>,
        change_frequency -> Nullable<Text>,
        priority -> Nullable<Double>,
        images -> Integer,
        videos -> Integer,
        is_news -> Bool,
        alternates -> Nullable<Jsonb>,
        first_seen_at -> Timestamptz,
        listed_at -> Timestamptz,
        missing_since -> Nullable<Timestamptz>,
        last_seen_at -> Nullable<Timestamptz>,
        removed_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    sitemap_checks (file_id, checked_at, id) {
        id -> Uuid,
        domain_id -> Uuid,
        file_id -> Uuid,
        checked_at -> Timestamptz,
        run_id -> Nullable<Uuid>,
        status_code -> Nullable<Integer>,
        entries -> Nullable<BigInt>,
        urls_added -> Nullable<BigInt>,
        urls_removed -> Nullable<BigInt>,
        response_ms -> Nullable<Double>,
        error_class -> Nullable<Text>,
    }
}

diesel::table! {
    sitemap_changes (domain_id, changed_at, id) {
        id -> Uuid,
        domain_id -> Uuid,
        changed_at -> Timestamptz,
        change -> Text,
        url -> Text,
        file_id -> Uuid,
        before -> Nullable<Text>,
        after -> Nullable<Text>,
    }
}

diesel::table! {
    sitemap_issues (file_id, code) {
        file_id -> Uuid,
        code -> Text,
        domain_id -> Uuid,
        count -> BigInt,
        examples -> Jsonb,
        first_seen_at -> Timestamptz,
    }
}

diesel::table! {
    sitemap_rounds (domain_id, ended_at, id) {
        id -> Uuid,
        domain_id -> Uuid,
        ended_at -> Timestamptz,
        urls_total -> BigInt,
        files -> BigInt,
        files_failed -> BigInt,
        added -> BigInt,
        removed -> BigInt,
        moved -> BigInt,
        lastmod_changed -> BigInt,
        errors -> Integer,
        warnings -> Integer,
        blocked -> Nullable<BigInt>,
        non_200 -> Nullable<BigInt>,
    }
}

diesel::table! {
    sitemap_samples (domain_id, url_key) {
        domain_id -> Uuid,
        url_key -> Uuid,
        asked_at -> Timestamptz,
        status_code -> Integer,
        redirects_to -> Nullable<Text>,
        is_noindex -> Nullable<Bool>,
        canonical -> Nullable<Text>,
        is_canonical -> Nullable<Bool>,
    }
}

diesel::table! {
    sitemap_conflicts (domain_id, crawler, url_key) {
        domain_id -> Uuid,
        crawler -> Text,
        url_key -> Uuid,
        url -> Text,
        file_id -> Uuid,
        line -> Integer,
        kind -> Text,
        path -> Text,
        first_seen_at -> Timestamptz,
        computed_at -> Timestamptz,
    }
}

diesel::table! {
    crawl_hosts (domain_id, origin) {
        domain_id -> Uuid,
        origin -> Text,
        position -> Integer,
        state -> Nullable<Text>,
        checked_at -> Nullable<Timestamptz>,
        sitemaps -> Jsonb,
    }
}
