//! The tables, as the migrations leave them. A test holds this against the database.

diesel::table! {
    analytics_sites (domain_id) {
        domain_id -> Uuid,
        settings -> Jsonb,
        enabled -> Bool,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        updated_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    analytics_values (id) {
        id -> Integer,
        domain_id -> Uuid,
        dimension -> SmallInt,
        value -> Text,
        used_on -> Date,
    }
}

diesel::table! {
    analytics_new_values (domain_id, dimension, day) {
        domain_id -> Uuid,
        dimension -> SmallInt,
        day -> Date,
        made -> Integer,
    }
}

diesel::table! {
    analytics_beacons (domain_id, beacon_id) {
        domain_id -> Uuid,
        beacon_id -> Uuid,
        stored_at -> Timestamptz,
    }
}

diesel::table! {
    analytics_visitors (domain_id, visitor_id) {
        domain_id -> Uuid,
        visitor_id -> BigInt,
        visits -> Array<BigInt>,
        touched_at -> Timestamptz,
    }
}

diesel::table! {
    analytics_sessions (domain_id, started_at, id) {
        domain_id -> Uuid,
        started_at -> Timestamptz,
        id -> BigInt,
        visitor_id -> BigInt,
        ended_at -> Timestamptz,
        pageviews -> Integer,
        events -> Integer,
        clicks -> Integer,
        entry_page -> Nullable<Integer>,
        entry_at -> Nullable<Timestamptz>,
        exit_page -> Nullable<Integer>,
        exit_at -> Nullable<Timestamptz>,
        channel -> SmallInt,
        source -> Integer,
        medium -> Nullable<Integer>,
        campaign -> Nullable<Integer>,
        term -> Nullable<Integer>,
        content -> Nullable<Integer>,
        referrer -> Nullable<Integer>,
        referrer_path -> Nullable<Integer>,
        country -> Nullable<Integer>,
        region -> Nullable<Integer>,
        city -> Nullable<Integer>,
        device -> SmallInt,
        browser -> Nullable<Integer>,
        browser_version -> Nullable<Integer>,
        os -> Nullable<Integer>,
        os_version -> Nullable<Integer>,
        screen -> Nullable<Integer>,
    }
}

diesel::table! {
    analytics_hits (domain_id, at, id) {
        domain_id -> Uuid,
        at -> Timestamptz,
        id -> BigInt,
        session_id -> BigInt,
        visitor_id -> BigInt,
        kind -> SmallInt,
        page -> Integer,
        event -> Nullable<Integer>,
        link -> Nullable<Integer>,
        term -> Nullable<Integer>,
        results -> Nullable<Integer>,
        channel -> SmallInt,
        source -> Integer,
        medium -> Nullable<Integer>,
        campaign -> Nullable<Integer>,
        referrer -> Nullable<Integer>,
        country -> Nullable<Integer>,
        device -> SmallInt,
        browser -> Nullable<Integer>,
        os -> Nullable<Integer>,
    }
}

diesel::table! {
    analytics_engagements (domain_id, at, id) {
        domain_id -> Uuid,
        at -> Timestamptz,
        id -> BigInt,
        session_id -> Nullable<BigInt>,
        load_id -> BigInt,
        page -> Integer,
        visible_ms -> Integer,
        scroll_pct -> Nullable<SmallInt>,
    }
}

diesel::table! {
    analytics_properties (domain_id, at, hit_id, place) {
        domain_id -> Uuid,
        at -> Timestamptz,
        hit_id -> BigInt,
        place -> SmallInt,
        session_id -> BigInt,
        visitor_id -> BigInt,
        event -> Integer,
        property -> Integer,
        text -> Nullable<Integer>,
        number -> Nullable<Double>,
        flag -> Nullable<Bool>,
    }
}

diesel::table! {
    analytics_orders (domain_id, order_id) {
        domain_id -> Uuid,
        order_id -> Text,
        ordered_at -> Timestamptz,
        hit_id -> BigInt,
        value_cents -> Nullable<BigInt>,
        currency -> Text,
        refunded_cents -> BigInt,
    }
}

diesel::table! {
    analytics_commerce (domain_id, at, hit_id) {
        domain_id -> Uuid,
        at -> Timestamptz,
        hit_id -> BigInt,
        session_id -> BigInt,
        visitor_id -> BigInt,
        step -> SmallInt,
        value_cents -> Nullable<BigInt>,
        currency -> Text,
        is_repeated -> Bool,
    }
}

diesel::table! {
    analytics_items (domain_id, at, hit_id, place) {
        domain_id -> Uuid,
        at -> Timestamptz,
        hit_id -> BigInt,
        place -> SmallInt,
        session_id -> BigInt,
        step -> SmallInt,
        product -> Integer,
        name -> Nullable<Integer>,
        category -> Nullable<Integer>,
        brand -> Nullable<Integer>,
        variant -> Nullable<Integer>,
        price_cents -> Nullable<BigInt>,
        quantity -> Integer,
    }
}

diesel::table! {
    analytics_titles (domain_id, page) {
        domain_id -> Uuid,
        page -> Integer,
        title -> Text,
    }
}

diesel::table! {
    analytics_progress (domain_id) {
        domain_id -> Uuid,
        first_at -> Timestamptz,
        last_at -> Timestamptz,
        commerce_at -> Nullable<Timestamptz>,
        rolled_until -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    analytics_daily (domain_id, dimension, day, value, second) {
        domain_id -> Uuid,
        dimension -> SmallInt,
        day -> Date,
        value -> Integer,
        visitors -> BigInt,
        sessions -> BigInt,
        pageviews -> BigInt,
        bounces -> BigInt,
        duration_ms -> BigInt,
        events -> BigInt,
        second -> Integer,
    }
}

diesel::table! {
    analytics_pages (domain_id, grain, part, starts_on, page) {
        domain_id -> Uuid,
        grain -> SmallInt,
        part -> SmallInt,
        starts_on -> Date,
        page -> Integer,
        visitors -> BigInt,
        pageviews -> BigInt,
        sessions -> BigInt,
        entries -> BigInt,
        exits -> BigInt,
        bounces -> BigInt,
        engaged_ms -> BigInt,
        engaged_views -> BigInt,
        scroll_pct -> BigInt,
        scrolled_views -> BigInt,
    }
}

diesel::table! {
    analytics_revenue (domain_id, day, currency) {
        domain_id -> Uuid,
        day -> Date,
        currency -> Text,
        orders -> BigInt,
        revenue_cents -> BigInt,
        refunds -> BigInt,
        refunded_cents -> BigInt,
        views -> BigInt,
        add_to_carts -> BigInt,
        checkouts -> BigInt,
        valued_orders -> BigInt,
        repeated_orders -> BigInt,
        items_sold -> Nullable<BigInt>,
    }
}

diesel::table! {
    analytics_dimension_orders (domain_id, dimension, day, value, second, currency) {
        domain_id -> Uuid,
        dimension -> SmallInt,
        day -> Date,
        value -> Integer,
        second -> Integer,
        currency -> Text,
        orders -> BigInt,
        valued_orders -> BigInt,
        revenue_cents -> BigInt,
    }
}

diesel::table! {
    analytics_actions (domain_id, kind, day, value, page) {
        domain_id -> Uuid,
        kind -> SmallInt,
        day -> Date,
        value -> Integer,
        page -> Integer,
        hits -> BigInt,
        visitors -> BigInt,
        sessions -> BigInt,
        exits -> BigInt,
        results -> Nullable<Integer>,
        last_at -> Timestamptz,
    }
}

diesel::table! {
    analytics_experiments (id) {
        id -> Uuid,
        domain_id -> Uuid,
        name -> Text,
        hypothesis -> Nullable<Text>,
        status -> Text,
        method -> Text,
        metric -> Text,
        control_urls -> Array<Text>,
        variant_urls -> Array<Text>,
        pre_start -> Nullable<Date>,
        pre_end -> Date,
        post_start -> Date,
        post_end -> Nullable<Date>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        created_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    analytics_evaluations (id) {
        id -> Uuid,
        experiment_id -> Uuid,
        status -> Text,
        method -> Text,
        metric -> Text,
        requested_at -> Timestamptz,
        completed_at -> Nullable<Timestamptz>,
        progress_pct -> Double,
        job_id -> Nullable<Uuid>,
        outcome -> Jsonb,
    }
}
