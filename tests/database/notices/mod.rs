//! Notices: what people of a workspace should know becomes notifications, and goes to its channels.

mod announcements;
mod quotas;
mod runs;
mod subscriptions;

use pharos_alerting::{
    delivery::{
        channel::{ChannelSettings, ChannelStore, NewChannel},
        target::Target,
    },
    severity::Severity,
};
use pharos_domain::notification_type::NotificationType;
use serde_json::Value;

use crate::harness::{Fixture, Home, NOW, actor};

/// A notification as tests look at it.
#[derive(Debug)]
struct NotificationRow {
    kind: NotificationType,
    severity: String,
    title: String,
    body: String,
    data: Value,
    module: Option<String>,
    resource_path: Option<String>,
    is_of_domain: bool,
}

impl Fixture {
    /// The notices to the people of a home, the oldest first.
    async fn told(&self, home: &Home, kind: NotificationType) -> Vec<NotificationRow> {
        let rows = self
            .sql
            .query(
                "SELECT severity, title, body, data::text, module, resource_path, domain_id IS NOT DISTINCT FROM $3
                 FROM notifications WHERE workspace_id = $1 AND kind = $2 ORDER BY created_at, data->>'scope' DESC",
                &[&home.workspace.0, &kind.as_str(), &home.domain.0],
            )
            .await
            .unwrap();
        let left: i64 = self.value("SELECT count(*) FROM notices", &[]).await;
        assert_eq!(left, 0, "a notice is gone once it was told");
        let told = |row: &tokio_postgres::Row| NotificationRow {
            kind,
            severity: row.get(0),
            title: row.get(1),
            body: row.get(2),
            data: serde_json::from_str(row.get(3)).unwrap(),
            module: row.get(4),
            resource_path: row.get(5),
            is_of_domain: row.get(6),
        };
        rows.iter().map(told).collect()
    }

    /// A channel of the home that delivers what is this bad.
    async fn channel(&self, home: &Home, name: &str, min_severity: Severity) {
        let new = NewChannel {
            workspace_id: home.workspace,
            domain_id: None,
            settings: ChannelSettings {
                name: name.to_owned(),
                target: Target::Email {
                    to: "on-call@shop.example".to_owned(),
                },
                min_severity,
                modules: Vec::new(),
                quiet_hours: None,
            },
        };
        let channels = self.stores.ports.get::<dyn ChannelStore>().unwrap();
        channels.create(&new, &actor(), NOW).await.unwrap();
    }

    /// How many deliveries to the channel are queued, each with its job.
    async fn queued(&self, channel: &str) -> i64 {
        self.value(
            "SELECT count(*) FROM alert_deliveries AS d
             JOIN alert_channels AS c ON c.id = d.channel_id
             JOIN jobs AS j ON j.id = d.id AND j.kind = 'alert_delivery' AND j.state = 'queued'
             WHERE c.name = $1 AND d.event = 'raised'",
            &[&channel],
        )
        .await
    }
}

/// Otherwise a notice could be written that can't become a notification, and the change that it tells of would fail.
#[tokio::test]
async fn what_may_be_a_notice_may_be_a_notification() {
    let fixture = Fixture::new().await;
    let checks = async |table: &str| {
        let query = "SELECT pg_get_constraintdef(oid) FROM pg_constraint
             WHERE conrelid = $1::text::regclass AND contype = 'c' ORDER BY 1";
        let rows = fixture.sql.query(query, &[&table]).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect::<Vec<String>>()
    };
    let (notices, notifications) = (checks("notices").await, checks("notifications").await);
    assert_eq!(notices, notifications);
    for kind in NotificationType::ALL {
        assert!(notices[0].contains(kind.as_str()), "{kind} in {notices:?}");
    }
}
