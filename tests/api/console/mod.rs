//! The pages below /console, as a browser without scripts sees them.

mod account;
mod apps;
mod audit;
mod beside;
mod blame;
mod browser;

mod channels;
pub(crate) mod chromium;
mod consent;
mod crawl;
mod credits;
mod decisions;
mod domains;
mod experiments;
mod forms;
mod jobs;
mod keys;
mod lab;
mod link_mails;
mod members;
mod modules;
mod notifications;
mod now;
mod oauth_app;
mod password;
mod refusals;
mod report_editor;
mod reports;
mod rule_pictures;
mod rules;
mod search;
mod search_console;
mod second_factor;
mod sign_in;
mod sites;
mod stage;
mod status_pages;
mod sweep;
mod switches;
mod visits;
mod watched;

use pharos_auth::sign_in::desk::issue_link;
use pharos_domain::ids::UserId;
use tokio_postgres::NoTls;

use self::browser::{Browser, Page};
use crate::harness::{TestApp, actor};

/// The beginning of the ids in `year.sql`.
pub(crate) const PREFIX: &str = "01900000-0000-7000-8000-";

/// The password of everybody here.
pub(crate) const PASSWORD: &str = "correct horse battery staple";

impl TestApp {
    /// Fills the world's workspace with sites that have a past, as `year.sql` tells; their ids begin with [`PREFIX`]. Times
    /// are counted back from the database's clock.
    async fn live_for_a_year(&self) {
        let script = include_str!("year.sql")
            .replace("{workspace}", &self.world.workspace.to_string())
            .replace("{prefix}", PREFIX);
        self.sql(&script).await;
    }

    /// Notes that the owner of the world's domain has shown that it is theirs.
    async fn verified(&self) {
        let domain = self.world.domain;
        self.sql(&format!(
            "UPDATE domains SET verified = true WHERE id = '{domain}'"
        ))
        .await;
    }

    /// A browser that knows nothing yet.
    fn browser(&self) -> Browser {
        Browser::new(self.address)
    }

    /// A link by which a user sets a password, as a path.
    async fn link(&self, user: UserId) -> String {
        let link = issue_link(&*self.stores.sign_in, user, &actor(), self.now()).await;
        format!(
            "/console/welcome/{}",
            link.unwrap().expect("an enabled user").reveal()
        )
    }

    /// A new user.
    async fn person(&self, email: &str) -> UserId {
        let user = self
            .stores
            .users
            .create(email, "Person", &actor(), self.now())
            .await;
        user.unwrap().id
    }

    /// The e-mail address of the world's owner.
    async fn owner_email(&self) -> String {
        let users = self.stores.users.list().await.unwrap();
        let owner = users.into_iter().find(|user| user.id == self.world.owner);
        owner.unwrap().email
    }

    /// A browser in which the user has set the password, and so has signed in.
    async fn signed_in(&self, user: UserId) -> Browser {
        let mut browser = self.browser();
        let link = self.link(user).await;
        browser.get(&link).await.is(200);
        let answer = browser
            .submit(&link, &[("password", PASSWORD), ("again", PASSWORD)])
            .await;
        answer.leads_to("/console");
        browser
    }

    /// The answer to a form that is sent amid a change of the database by somebody else, who ends it once the form waits for it.
    async fn amid(&self, change: &str, sent: impl Future<Output = Page>) -> Page {
        let (other, wire) = tokio_postgres::connect(self.database.url(), NoTls).await.unwrap();
        tokio::spawn(wire);
        other.batch_execute(&format!("BEGIN; {change}")).await.unwrap();
        let ended = async {
            self.reaches(
                "EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')",
            )
            .await;
            other.batch_execute("COMMIT").await.unwrap();
        };
        let (page, ()) = tokio::join!(sent, ended);
        page
    }
}
