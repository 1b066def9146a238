//! The bare cost: one ES256 signature and one durable statement that puts a digest in the place of another.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use diesel::{ExpressionMethods, QueryDsl, sql_query};
use diesel_async::{
    AsyncPgConnection, RunQueryDsl,
    pooled_connection::{AsyncDieselConnectionManager, deadpool::Pool},
};
use futures_util::future::try_join_all;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use pharos_auth::{
    oauth::signing::StoredKey,
    secret::{Secret, SecretDigest},
};
use serde_json::json;
use time::OffsetDateTime;

use super::{Sample, end};

diesel::table! {
    bench_tokens (digest) {
        digest -> Binary,
    }
}

/// The connections that Pharos has as well.
const CONNECTIONS: usize = 16;

/// As many chains of digests.
pub(super) struct Bare {
    pool: Pool<AsyncPgConnection>,
    key: Arc<EncodingKey>,
    digests: Vec<SecretDigest>,
}

impl Bare {
    pub(super) async fn start(database_url: &str, chains: usize) -> Result<Self> {
        let manager = AsyncDieselConnectionManager::<AsyncPgConnection>::new(database_url);
        let pool = Pool::builder(manager).max_size(CONNECTIONS).build()?;
        let mut connection = pool.get().await?;
        sql_query("CREATE TABLE bench_tokens (digest bytea PRIMARY KEY)")
            .execute(&mut connection)
            .await?;
        let mut digests = Vec::new();
        for _ in 0..chains {
            let digest = Secret::generate("prt_")?.digest();
            diesel::insert_into(bench_tokens::table)
                .values(bench_tokens::digest.eq(digest.0.as_slice()))
                .execute(&mut connection)
                .await?;
            digests.push(digest);
        }
        drop(connection);
        let key = StoredKey::generate(OffsetDateTime::now_utc())?;
        Ok(Self {
            pool,
            key: Arc::new(EncodingKey::from_ec_der(&key.private_key)),
            digests,
        })
    }

    pub(super) async fn run(&mut self, counted: Duration) -> Result<Sample> {
        let until = end(counted);
        let chains = self.digests.iter_mut().map(|digest| {
            let (pool, key) = (self.pool.clone(), Arc::clone(&self.key));
            let mut current = *digest;
            async move {
                let chain = tokio::spawn(async move {
                    let mut latencies = Vec::new();
                    while Instant::now() < until {
                        let began = Instant::now();
                        current = rotate(&pool, &key, current).await?;
                        latencies.push(began.elapsed());
                    }
                    anyhow::Ok((latencies, current))
                });
                let (latencies, last) = chain.await??;
                *digest = last;
                anyhow::Ok(latencies)
            }
        });
        let latencies = try_join_all(chains).await?;
        Ok(Sample::of(latencies.concat(), counted))
    }
}

async fn rotate(
    pool: &Pool<AsyncPgConnection>,
    key: &EncodingKey,
    current: SecretDigest,
) -> Result<SecretDigest> {
    let next = Secret::generate("prt_")?;
    let now = OffsetDateTime::now_utc().unix_timestamp();
    let claims = json!({
        "iss": "http://localhost", "aud": "http://localhost", "sub": "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11",
        "scope": "read:overview read:uptime", "iat": now, "exp": now + 3600,
    });
    let token = jsonwebtoken::encode(&Header::new(Algorithm::ES256), &claims, key)?;
    std::hint::black_box(token);
    let digest = next.digest();
    let mut connection = pool.get().await?;
    let changed = diesel::update(bench_tokens::table.find(current.0.as_slice()))
        .set(bench_tokens::digest.eq(digest.0.as_slice()))
        .execute(&mut connection)
        .await?;
    ensure!(changed == 1, "a digest is gone");
    Ok(digest)
}
