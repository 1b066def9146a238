//! The tables, as the migrations leave them. A test holds this against the database.

diesel::table! {
    rum_sites (domain_id) {
        domain_id -> Uuid,
        settings -> Jsonb,
        enabled -> Bool,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        updated_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    rum_texts (id) {
        id -> Integer,
        domain_id -> Uuid,
        dimension -> SmallInt,
        value -> Text,
        used_on -> Date,
    }
}

diesel::table! {
    rum_new_texts (domain_id, dimension, day) {
        domain_id -> Uuid,
        dimension -> SmallInt,
        day -> Date,
        made -> Integer,
    }
}

diesel::table! {
    rum_beacons (domain_id, beacon_id) {
        domain_id -> Uuid,
        beacon_id -> Uuid,
        stored_at -> Timestamptz,
    }
}

diesel::table! {
    rum_loads (domain_id, load_id) {
        domain_id -> Uuid,
        load_id -> BigInt,
        at -> Timestamptz,
        revision -> Integer,
        stored_at -> Timestamptz,
    }
}

diesel::table! {
    rum_views (domain_id, at, load_id) {
        domain_id -> Uuid,
        at -> Timestamptz,
        load_id -> BigInt,
        page -> Integer,
        referrer -> Nullable<Integer>,
        navigation -> SmallInt,
        was_hidden -> Bool,
        lcp_ms -> Nullable<Double>,
        inp_ms -> Nullable<Double>,
        cls -> Nullable<Double>,
        fcp_ms -> Nullable<Double>,
        ttfb_ms -> Nullable<Double>,
        dom_content_loaded_ms -> Nullable<Double>,
        load_ms -> Nullable<Double>,
        device -> SmallInt,
        browser -> Nullable<Integer>,
        browser_version -> Nullable<Integer>,
        os -> Nullable<Integer>,
        os_version -> Nullable<Integer>,
        country -> Nullable<Integer>,
        connection -> Nullable<SmallInt>,
        rtt_ms -> Nullable<Double>,
        protocol -> Nullable<Integer>,
        device_memory -> Nullable<Double>,
        viewport_width -> Nullable<Integer>,
        viewport_height -> Nullable<Integer>,
        errors -> Integer,
        long_frames -> Nullable<Integer>,
        blocking_ms -> Nullable<Double>,
    }
}

diesel::table! {
    rum_engagements (domain_id, at, load_id) {
        domain_id -> Uuid,
        at -> Timestamptz,
        load_id -> BigInt,
        visible_ms -> Nullable<Integer>,
        scroll_pct -> Nullable<SmallInt>,
        interactions -> Nullable<Integer>,
        rage_clicks -> Nullable<Integer>,
        dead_clicks -> Nullable<Integer>,
        tells_reasons -> Bool,
    }
}

diesel::table! {
    rum_lcp (domain_id, at, load_id) {
        domain_id -> Uuid,
        at -> Timestamptz,
        load_id -> BigInt,
        element -> Nullable<Integer>,
        element_id -> Nullable<Integer>,
        element_class -> Nullable<Integer>,
        resource -> Nullable<Integer>,
        kind -> SmallInt,
        ttfb_ms -> Nullable<Double>,
        load_delay_ms -> Nullable<Double>,
        load_duration_ms -> Nullable<Double>,
        render_delay_ms -> Nullable<Double>,
        bytes -> Nullable<BigInt>,
        has_high_priority -> Nullable<Bool>,
        is_lazy -> Nullable<Bool>,
        is_preloaded -> Nullable<Bool>,
    }
}

diesel::table! {
    rum_inp (domain_id, at, load_id) {
        domain_id -> Uuid,
        at -> Timestamptz,
        load_id -> BigInt,
        element -> Nullable<Integer>,
        element_id -> Nullable<Integer>,
        element_class -> Nullable<Integer>,
        interaction -> Nullable<SmallInt>,
        load_state -> Nullable<SmallInt>,
        input_delay_ms -> Nullable<Double>,
        processing_ms -> Nullable<Double>,
        presentation_ms -> Nullable<Double>,
        script_ms -> Nullable<Double>,
        style_layout_ms -> Nullable<Double>,
        paint_ms -> Nullable<Double>,
        unattributed_ms -> Nullable<Double>,
        script_url -> Nullable<Integer>,
        function -> Nullable<Integer>,
        invoker -> Nullable<Integer>,
        invoker_type -> Nullable<SmallInt>,
        subpart -> Nullable<SmallInt>,
        longest_ms -> Nullable<Double>,
        forced_layout_ms -> Nullable<Double>,
    }
}

diesel::table! {
    rum_cls (domain_id, at, load_id) {
        domain_id -> Uuid,
        at -> Timestamptz,
        load_id -> BigInt,
        element -> Nullable<Integer>,
        element_id -> Nullable<Integer>,
        element_class -> Nullable<Integer>,
        shift -> Nullable<Double>,
        shift_at_ms -> Nullable<Double>,
        load_state -> Nullable<SmallInt>,
    }
}

diesel::table! {
    rum_ttfb (domain_id, at, load_id) {
        domain_id -> Uuid,
        at -> Timestamptz,
        load_id -> BigInt,
        waiting_ms -> Nullable<Double>,
        cache_ms -> Nullable<Double>,
        dns_ms -> Nullable<Double>,
        connection_ms -> Nullable<Double>,
        request_ms -> Nullable<Double>,
        redirects -> Nullable<Integer>,
    }
}

diesel::table! {
    rum_server_timings (domain_id, at, load_id, place) {
        domain_id -> Uuid,
        at -> Timestamptz,
        load_id -> BigInt,
        place -> SmallInt,
        name -> Integer,
        duration_ms -> Double,
    }
}

diesel::table! {
    rum_errors (domain_id, at, load_id, place) {
        domain_id -> Uuid,
        at -> Timestamptz,
        load_id -> BigInt,
        place -> SmallInt,
        kind -> Integer,
        line -> Nullable<BigInt>,
        column_number -> Nullable<BigInt>,
    }
}

diesel::table! {
    rum_resources (domain_id, at, load_id, place) {
        domain_id -> Uuid,
        at -> Timestamptz,
        load_id -> BigInt,
        place -> SmallInt,
        url -> Integer,
        host -> Integer,
        kind -> SmallInt,
        method -> Nullable<Integer>,
        start_ms -> Double,
        duration_ms -> Double,
        dns_ms -> Nullable<Double>,
        connect_ms -> Nullable<Double>,
        tls_ms -> Nullable<Double>,
        ttfb_ms -> Nullable<Double>,
        download_ms -> Nullable<Double>,
        transfer_bytes -> Nullable<BigInt>,
        decoded_bytes -> Nullable<BigInt>,
        protocol -> Nullable<Integer>,
        is_render_blocking -> Nullable<Bool>,
        is_cached -> Nullable<Bool>,
        status -> Nullable<Integer>,
        is_third_party -> Bool,
    }
}

diesel::table! {
    rum_frames (domain_id, at, load_id, place) {
        domain_id -> Uuid,
        at -> Timestamptz,
        load_id -> BigInt,
        place -> SmallInt,
        kind -> SmallInt,
        start_ms -> Double,
        duration_ms -> Double,
        blocking_ms -> Double,
        style_layout_ms -> Nullable<Double>,
    }
}

diesel::table! {
    rum_scripts (domain_id, at, load_id, place) {
        domain_id -> Uuid,
        at -> Timestamptz,
        load_id -> BigInt,
        place -> SmallInt,
        frame -> SmallInt,
        url -> Nullable<Integer>,
        function -> Nullable<Integer>,
        invoker -> Nullable<Integer>,
        invoker_type -> Nullable<SmallInt>,
        duration_ms -> Double,
        forced_layout_ms -> Double,
        is_third_party -> Bool,
    }
}

diesel::table! {
    rum_reasons (domain_id, at, load_id, place) {
        domain_id -> Uuid,
        at -> Timestamptz,
        load_id -> BigInt,
        place -> SmallInt,
        reason -> Integer,
        kind -> SmallInt,
    }
}

diesel::table! {
    rum_error_groups (kind) {
        kind -> Integer,
        id -> Uuid,
        domain_id -> Uuid,
        message -> Text,
        name -> Nullable<Text>,
        source -> SmallInt,
        is_handled -> Bool,
        filename -> Nullable<Text>,
        line -> Nullable<BigInt>,
        column_number -> Nullable<BigInt>,
        stack -> Nullable<Text>,
        causes -> Array<Text>,
        is_third_party -> Bool,
        is_opaque -> Bool,
        first_seen_at -> Timestamptz,
        last_seen_at -> Timestamptz,
    }
}

diesel::table! {
    rum_progress (domain_id) {
        domain_id -> Uuid,
        first_at -> Timestamptz,
        last_at -> Timestamptz,
        rolled_until -> Nullable<Timestamptz>,
        beacon_version -> Nullable<Text>,
    }
}

diesel::table! {
    rum_daily (domain_id, day, device) {
        domain_id -> Uuid,
        day -> Date,
        device -> SmallInt,
        views -> BigInt,
        core_views -> BigInt,
        good_views -> BigInt,
        error_views -> BigInt,
        errors -> BigInt,
        back_forwards -> BigInt,
        restored -> BigInt,
        lcp_good -> BigInt,
        lcp_fair -> BigInt,
        lcp_poor -> BigInt,
        inp_good -> BigInt,
        inp_fair -> BigInt,
        inp_poor -> BigInt,
        cls_good -> BigInt,
        cls_fair -> BigInt,
        cls_poor -> BigInt,
        fcp_good -> BigInt,
        fcp_fair -> BigInt,
        fcp_poor -> BigInt,
        ttfb_good -> BigInt,
        ttfb_fair -> BigInt,
        ttfb_poor -> BigInt,
    }
}

diesel::table! {
    rum_hist (domain_id, metric, day, device, bucket) {
        domain_id -> Uuid,
        metric -> SmallInt,
        day -> Date,
        device -> SmallInt,
        bucket -> SmallInt,
        n -> BigInt,
    }
}

diesel::table! {
    crux_targets (id) {
        id -> Uuid,
        domain_id -> Uuid,
        workspace_id -> Uuid,
        url -> Nullable<Text>,
        label -> Nullable<Text>,
        status -> Text,
        origin -> Nullable<Text>,
        origin_source -> Nullable<Text>,
        url_normalized -> Nullable<Text>,
        next_collection_at -> Timestamptz,
        leased_until -> Nullable<Timestamptz>,
        asked_at -> Nullable<Timestamptz>,
        failures -> Integer,
        last_failure -> Nullable<Text>,
        fetched_at -> Nullable<Timestamptz>,
        first_seen_data_on -> Nullable<Date>,
        mobile_passing_since -> Nullable<Date>,
        desktop_passing_since -> Nullable<Date>,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    crux_figures (target_id, form_factor, grain, period_end) {
        target_id -> Uuid,
        form_factor -> Text,
        grain -> Text,
        period_end -> Date,
        figures -> Jsonb,
    }
}

diesel::table! {
    crux_turns (id) {
        id -> SmallInt,
        next_at -> Timestamptz,
    }
}

diesel::table! {
    crux_lookups (run_id) {
        run_id -> Uuid,
        domain_id -> Uuid,
        record -> Nullable<Jsonb>,
        made_at -> Timestamptz,
        subject -> Nullable<Jsonb>,
        form_factor -> Nullable<Text>,
    }
}

diesel::table! {
    rum_source_maps (domain_id, script, release) {
        domain_id -> Uuid,
        script -> Text,
        release -> Text,
        url -> Text,
        sources -> Integer,
        bytes -> Integer,
        map -> Binary,
        uploaded_at -> Timestamptz,
    }
}

diesel::table! {
    rum_releases (domain_id, name) {
        domain_id -> Uuid,
        name -> Text,
        released_at -> Timestamptz,
    }
}
