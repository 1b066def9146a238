//! The tables, as the migrations leave them. A test holds this against the database.

use pharos_persistence::schema::users;

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
        source -> Nullable<Inet>,
        browser -> Nullable<Text>,
    }
}

diesel::table! {
    sign_in_links (digest) {
        digest -> Binary,
        user_id -> Uuid,
        expires_at -> Timestamptz,
    }
}

diesel::table! {
    second_factors (user_id) {
        user_id -> Uuid,
        secret -> Binary,
        made_at -> Timestamptz,
        confirmed_at -> Nullable<Timestamptz>,
        last_step -> BigInt,
        begun_by -> Nullable<Binary>,
    }
}

diesel::table! {
    recovery_codes (digest) {
        digest -> Binary,
        user_id -> Uuid,
    }
}

diesel::table! {
    pending_sign_ins (digest) {
        digest -> Binary,
        user_id -> Uuid,
        expires_at -> Timestamptz,
        attempts -> SmallInt,
    }
}

diesel::allow_tables_to_appear_in_same_query!(
    api_keys,
    api_key_secrets,
    oauth_clients,
    oauth_grants,
    oauth_decisions,
    oauth_codes,
    oauth_refresh_tokens,
    oauth_signing_keys,
    user_passwords,
    sessions,
    sign_in_links,
    second_factors,
    recovery_codes,
    pending_sign_ins,
);

// Tables of the kit that these are joined with.
pharos_persistence::allow_join!(user_passwords, users);
pharos_persistence::allow_join!(sessions, users);
pharos_persistence::allow_join!(sign_in_links, users);
