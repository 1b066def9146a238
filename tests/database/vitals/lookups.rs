//! The results of lookups of field data.

use std::sync::Arc;

use pharos_domain::ids::RunId;
use pharos_vitals::crux::{
    FormFactor,
    figures::{Figures, Period},
    record::{Record, Subject},
    store::{CruxCollection, CruxStore},
};
use time::macros::date;
use uuid::Uuid;

use crate::harness::{Fixture, Home, NOW};

#[tokio::test]
async fn the_result_of_a_lookup_is_read_by_its_own_domain_alone() {
    let fixture = Fixture::new().await;
    let (ada, bob) = (fixture.home("ada").await, fixture.home("bob").await);
    let run = RunId(Uuid::now_v7());
    fixture
        .sql
        .execute(
            "INSERT INTO runs (id, domain_id, kind, status, requested_at, requester_kind, credential_id, credits_charged)
             VALUES ($1, $2, 'crux_lookup', 'queued', now(), 'api_key', gen_random_uuid(), 0)",
            &[&run.0, &ada.domain.0],
        )
        .await
        .unwrap();
    let found = Record {
        subject: Subject::Url("https://ada.example/p/1".to_owned()),
        url_normalized: None,
        form_factor: FormFactor::Mobile,
        period: Period {
            start: date!(2026 - 03 - 03),
            end: date!(2026 - 03 - 30),
        },
        figures: Figures::default(),
    };
    let collection: Arc<dyn CruxCollection> = fixture.stores.ports.get().unwrap();
    collection
        .keep_lookup(
            run,
            ada.domain,
            (&found.subject, found.form_factor),
            Some(&found),
            NOW,
        )
        .await
        .unwrap();
    let store: Arc<dyn CruxStore> = fixture.stores.ports.get().unwrap();
    let read = async |home: &Home| {
        let access = fixture.access(home).await;
        store.looked_up(&access, run).await.unwrap()
    };
    assert_eq!(read(&ada).await, Some(found));
    assert_eq!(read(&bob).await, None);
}
