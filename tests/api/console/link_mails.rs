//! Links by which passwords are set, as mails: to people who are invited, and to those who forgot.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pharos_auth::sign_in::{
    desk::SignInLimits,
    forgotten::{FORGOTTEN_PASSWORD, ForgottenPasswords},
    link_mail::{LinkMail, LinkMailError, LinkMailer},
};
use pharos_domain::{
    clock::Clock,
    ids::WorkerId,
    jobs::{Claim, JobHandler, Retry},
    role::Role,
};
use time::Duration;

use super::{PASSWORD, keys::copied};
use crate::harness::{TestApp, actor};

const PATH: &str = "/console/forgotten";

/// A mail server that keeps what it is handed, or refuses it.
#[derive(Default)]
pub(super) struct Post {
    mails: Mutex<Vec<(String, String, String)>>,
    refuses: Mutex<Option<LinkMailError>>,
}

#[async_trait]
impl LinkMailer for Post {
    async fn mail(&self, mail: &LinkMail<'_>) -> Result<(), LinkMailError> {
        if let Some(error) = self.refuses.lock().unwrap().clone() {
            return Err(error);
        }
        let mail = (mail.to.to_owned(), mail.before(), mail.link.to_owned());
        self.mails.lock().unwrap().push(mail);
        Ok(())
    }
}

impl Post {
    fn take(&self) -> Vec<(String, String, String)> {
        std::mem::take(&mut self.mails.lock().unwrap())
    }

    fn refuse(&self, is_final: bool) {
        *self.refuses.lock().unwrap() = Some(LinkMailError {
            why: "the mail server answered <450>".to_owned(),
            is_final,
        });
    }
}

/// An app that mails.
pub(super) async fn mailing() -> (TestApp, Arc<Post>) {
    let post = Arc::new(Post::default());
    let app = TestApp::mailing(SignInLimits::default(), post.clone()).await;
    (app, post)
}

/// The handler of the jobs, as a worker has it.
fn handler(app: &TestApp, post: &Arc<Post>) -> ForgottenPasswords {
    ForgottenPasswords {
        store: Arc::clone(&app.stores.sign_in),
        mailer: Some(post.clone()),
        clock: Arc::clone(&app.clock) as Arc<dyn Clock>,
        welcome: format!("http://{}/console/welcome", app.address),
    }
}

/// Does the jobs that wait, and says how each ended.
async fn work(app: &TestApp, post: &Arc<Post>) -> Vec<Option<Retry>> {
    let claim = Claim {
        worker: WorkerId::generate(),
        kinds: &[FORGOTTEN_PASSWORD],
        lane: "local",
        lease: Duration::MINUTE,
        limit: 100,
    };
    let mut ends = Vec::new();
    for job in app.stores.jobs.claim(&claim).await.unwrap() {
        let end = handler(app, post).run(&job).await;
        ends.push(end.err().map(|failure| failure.retry));
    }
    ends
}

/// Says that the password of an address is forgotten.
async fn forgot(app: &TestApp, email: &str) -> (u16, String) {
    let mut browser = app.browser();
    browser.get(PATH).await.is(200);
    let page = browser.submit(PATH, &[("email", email)]).await;
    let told = page.text().replace(&browser.token, "");
    (page.0.status, told)
}

#[tokio::test]
async fn a_forgotten_password_is_set_by_a_mailed_link() {
    let (app, post) = mailing().await;
    let email = app.owner_email().await;
    app.signed_in(app.world.owner).await;
    let mut browser = app.browser();
    browser.get("/console/sign-in").await.is(200).says(PATH);
    browser.get(PATH).await.is(200);
    let fields = [("email", &*email.to_uppercase())];
    browser
        .submit(PATH, &fields)
        .await
        .leads_to("/console/forgotten?sent");
    browser
        .get("/console/forgotten?sent")
        .await
        .is(200)
        .says("If somebody has this address here");
    assert!(post.take().is_empty(), "the page waits for no mail server");

    assert_eq!(work(&app, &post).await, [None]);
    let mails = post.take();
    assert_eq!((mails.len(), &mails[0].0), (1, &email));
    assert!(mails[0].1.contains("asked for a new password"), "{}", mails[0].1);
    let path = mails[0].2.strip_prefix(&browser.origin()).unwrap();
    browser.get(path).await.is(200).says(&email);
    let fields = [
        ("password", "another horse entirely"),
        ("again", "another horse entirely"),
    ];
    browser.submit(path, &fields).await.leads_to("/console");
    let audit = app
        .sql("SELECT actor, host(source) FROM audit_log WHERE action = 'user.link' ORDER BY id DESC LIMIT 1")
        .await;
    assert_eq!(audit[0][0].as_deref(), Some("system"));
    assert_eq!(audit[0][1].as_deref(), Some("127.0.0.1"));
}

/// Whoever asks learns from nothing whether somebody has an address.
#[tokio::test]
async fn known_and_unknown_addresses_are_answered_the_same() {
    let (app, post) = mailing().await;
    let email = app.owner_email().await;
    let disabled = app.person("gone@example.org").await;
    app.stores
        .users
        .set_disabled(disabled, true, &actor(), app.now())
        .await
        .unwrap();
    let mut answers = Vec::new();
    for address in [email.as_str(), "nobody@example.org", "gone@example.org"] {
        answers.push(forgot(&app, address).await);
    }
    assert_eq!(answers[0].0, 303);
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(work(&app, &post).await, [None; 3]);
    assert_eq!(post.take().len(), 1);
    let links = app.sql("SELECT FROM sign_in_links").await;
    assert_eq!(links.len(), 1);
}

#[tokio::test]
async fn the_limits_of_links_are_what_is_configured() {
    let limits = SignInLimits {
        forgotten: 3,
        links_of_account: 1,
        links_of_maker: 2,
        ..SignInLimits::default()
    };
    let app = TestApp::mailing(limits, Arc::new(Post::default())).await;
    for (email, status) in [
        ("one@example.org", 303),
        ("one@example.org", 429),
        ("two@example.org", 303),
        ("three@example.org", 429),
    ] {
        assert_eq!(forgot(&app, email).await.0, status, "{email}");
    }
    let mut browser = app.signed_in(app.world.owner).await;
    for (email, status) in [
        ("ada@example.org", 200),
        ("bob@example.org", 200),
        ("eve@example.org", 429),
    ] {
        let member = app.member(email, Role::Member).await;
        let path = app.of_workspace(&format!("members/{member}"));
        browser.get(&path).await.is(200);
        browser.submit(&path, &[("do", "link")]).await.is(status);
    }
}

#[tokio::test]
async fn an_address_is_mailed_three_times_an_hour_and_a_client_asks_ten_times() {
    let (app, _) = mailing().await;
    for address in ["ada@example.org", "ADA@example.org", " ada@example.org "] {
        assert_eq!(forgot(&app, address).await.0, 303);
    }
    let (status, told) = forgot(&app, "ada@example.org").await;
    assert_eq!(status, 429);
    assert!(told.contains("Try again in"), "{told}");
    for number in 0..6 {
        let address = format!("nobody-{number}@example.org");
        assert_eq!(forgot(&app, &address).await.0, 303, "{number}");
    }
    assert_eq!(forgot(&app, "other@example.org").await.0, 429);
    app.clock.advance(Duration::hours(2));
    assert_eq!(forgot(&app, "ada@example.org").await.0, 303);
}

#[tokio::test]
async fn what_is_no_address_is_said_at_the_form() {
    let (app, _) = mailing().await;
    let long = format!("{}@example.org", "a".repeat(300));
    for address in ["", "ada", "ada\0@example.org", "<b>@x", &long] {
        let (status, told) = forgot(&app, address).await;
        assert_eq!(status, 400, "{address}");
        assert!(
            told.contains("is not an e-mail address") && !told.contains("<b>@x"),
            "{told}"
        );
    }
    assert!(app.sql("SELECT FROM jobs").await.is_empty());
    // Where no mails are sent there is no such form.
    let app = TestApp::start().await;
    let mut browser = app.browser();
    browser.get(PATH).await.is(404);
    browser.get("/console/sign-in").await.is(200).is_silent_on(PATH);
    browser
        .submit(PATH, &[("email", "ada@example.org")])
        .await
        .is(404);
}

#[tokio::test]
async fn a_mail_server_that_is_away_is_tried_again() {
    let (app, post) = mailing().await;
    let email = app.owner_email().await;
    post.refuse(false);
    forgot(&app, &email).await;
    assert_eq!(work(&app, &post).await, [Some(Retry::Backoff)]);
    post.refuse(true);
    forgot(&app, &email).await;
    assert_eq!(work(&app, &post).await, [Some(Retry::Never)]);
    let job = app
        .sql("SELECT max_attempts, payload::text FROM jobs LIMIT 1")
        .await;
    assert_eq!(job[0][0].as_deref(), Some("4"));
    assert!(!job[0][1].as_ref().unwrap().contains("psl_"));
}

#[tokio::test]
async fn a_link_is_good_until_another_was_taken_by_the_mail_server() {
    let (app, post) = mailing().await;
    let email = app.owner_email().await;
    let first = app.link(app.world.owner).await;
    for is_final in [false, true] {
        post.refuse(is_final);
        forgot(&app, &email).await;
        assert!(matches!(work(&app, &post).await[..], [Some(_)]));
        app.browser().get(&first).await.is(200);
    }
    *post.refuses.lock().unwrap() = None;
    forgot(&app, &email).await;
    assert_eq!(work(&app, &post).await, [None]);
    let mut browser = app.browser();
    browser.get(&first).await.is(410);
    let mails = post.take();
    let second = mails[0].2.strip_prefix(&browser.origin()).unwrap();
    browser.get(second).await.is(200).says(&email);
}

#[tokio::test]
async fn invitations_and_links_of_admins_are_mailed_and_shown() {
    let (app, post) = mailing().await;
    let owner = app.owner_email().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let new = app.of_workspace("members/new");
    browser.get(&new).await;
    let fields = [("email", "eve@example.org"), ("name", "Eve"), ("role", "viewer")];
    let page = browser.submit(&new, &fields).await;
    page.is(200).says("was mailed to them");
    let mails = post.take();
    assert_eq!((mails.len(), mails[0].0.as_str()), (1, "eve@example.org"));
    assert_eq!(copied(&page, "link"), mails[0].2);
    assert!(
        mails[0].1.starts_with(&format!("{owner} has made you a member")),
        "{}",
        mails[0].1
    );
    let path = mails[0].2.strip_prefix(&browser.origin()).unwrap();
    let mut eve = app.browser();
    eve.get(path).await.is(200);
    eve.submit(path, &[("password", PASSWORD), ("again", PASSWORD)])
        .await
        .leads_to("/console");

    // A mail server that refuses keeps nobody from giving the link themselves.
    post.refuse(false);
    let ada = app.member("ada@example.org", Role::Member).await;
    let hers = app.of_workspace(&format!("members/{ada}"));
    browser.get(&hers).await;
    let page = browser.submit(&hers, &[("do", "link")]).await;
    page.is(200)
        .says("could not be mailed: the mail server answered &lt;450&gt;")
        .says("Give it to them yourself");
    assert!(copied(&page, "link").contains("/console/welcome/psl_"));
}

/// Whoever makes an account for an address can set its password. They are in no workspace for that which its owner joins later.
#[tokio::test]
async fn whose_password_a_stranger_can_know_joins_once_they_have_set_another() {
    let (app, post) = mailing().await;
    let stranger = app.person("stranger@example.org").await;
    let theirs = app
        .stores
        .workspace_admin
        .create("Theirs", stranger, "default", &actor(), app.now())
        .await
        .unwrap();
    let mut stranger = app.signed_in(stranger).await;
    let new = format!("/console/w/{}/members/new", theirs.id);
    stranger.get(&new).await.is(200);
    let fields = [("email", "eve@example.org"), ("name", "Eve"), ("role", "viewer")];
    let link = copied(stranger.submit(&new, &fields).await.is(200), "link");
    post.take();
    let members =
        "SELECT email FROM members JOIN users ON users.id = user_id WHERE email = 'eve@example.org'";

    // With the link, before it is used and when it is.
    let mut owner = app.signed_in(app.world.owner).await;
    let own = app.of_workspace("members/new");
    owner.get(&own).await.is(200);
    owner.submit(&own, &fields).await.is(400).says("can know it");
    let path = link.strip_prefix(&owner.origin()).unwrap();
    let mut eve = app.browser();
    eve.get(path).await.is(200);
    let password = [("password", PASSWORD), ("again", PASSWORD)];
    eve.submit(path, &password).await.location();
    owner.submit(&own, &fields).await.is(400).says("can know it");

    // Another link says nothing until it is used, since anybody has one mailed.
    assert_eq!(forgot(&app, "eve@example.org").await.0, 303);
    assert_eq!(work(&app, &post).await, [None]);
    owner.submit(&own, &fields).await.is(400).says("can know it");
    assert_eq!(app.sql(members).await.len(), 1);

    let mailed = post.take().remove(0).2;
    let path = mailed.strip_prefix(&owner.origin()).unwrap();
    let mut eve = app.browser();
    eve.get(path).await.is(200);
    eve.submit(path, &password).await.location();
    owner
        .submit(&own, &fields)
        .await
        .leads_to(&format!("{}?added", app.of_workspace("members")));
    assert_eq!(app.sql(members).await.len(), 2);
}

#[tokio::test]
async fn whose_link_was_made_by_an_admin_of_the_workspace_joins_it_at_once() {
    let app = TestApp::start().await;
    let owner = app.world.owner;
    let other = app
        .stores
        .workspace_admin
        .create("Other", owner, "default", &actor(), app.now())
        .await
        .unwrap();
    let mut browser = app.signed_in(owner).await;
    let fields = [("email", "eve@example.org"), ("name", "Eve"), ("role", "viewer")];
    let own = app.of_workspace("members/new");
    browser.get(&own).await.is(200);
    let link = copied(browser.submit(&own, &fields).await.is(200), "link");
    let path = link.strip_prefix(&browser.origin()).unwrap();
    let mut eve = app.browser();
    eve.get(path).await.is(200);
    eve.submit(path, &[("password", PASSWORD), ("again", PASSWORD)])
        .await
        .location();
    let new = format!("/console/w/{}/members/new", other.id);
    browser.get(&new).await.is(200);
    browser
        .submit(&new, &fields)
        .await
        .leads_to(&format!("/console/w/{}/members?added", other.id));
}

/// An admin makes links for those below them, and so can know their passwords, whatever they are made later.
#[tokio::test]
async fn whose_password_an_admin_can_know_is_made_no_more_than_that_admin() {
    let app = TestApp::start().await;
    let eve = app.member("eve@example.org", Role::Viewer).await;
    let hers = app.of_workspace(&format!("members/{eve}"));
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    admin.get(&hers).await.is(200);
    let link = copied(admin.submit(&hers, &[("do", "link")]).await.is(200), "link");
    let mut owner = app.signed_in(app.world.owner).await;
    owner.get(&hers).await.is(200);
    let role = |role| [("do", "change"), ("role", role), ("credit_cap", "")];

    // With the link, before it is used and when it is.
    let password = [("password", PASSWORD), ("again", PASSWORD)];
    for is_used in [false, true] {
        if is_used {
            let path = link.strip_prefix(&owner.origin()).unwrap();
            let mut browser = app.browser();
            browser.get(path).await.is(200);
            browser.submit(path, &password).await.location();
        }
        owner
            .submit(&hers, &role("owner"))
            .await
            .is(400)
            .says("can know it");
        owner
            .submit(&hers, &[("do", "transfer")])
            .await
            .is(400)
            .says("can know it");
    }
    owner
        .submit(&hers, &role("admin"))
        .await
        .leads_to(&format!("{hers}?changed"));

    let link = copied(owner.submit(&hers, &[("do", "link")]).await.is(200), "link");
    let path = link.strip_prefix(&owner.origin()).unwrap().to_owned();
    let mut browser = app.browser();
    browser.get(&path).await.is(200);
    browser.submit(&path, &password).await.location();
    owner
        .submit(&hers, &role("owner"))
        .await
        .leads_to(&format!("{hers}?changed"));
}

/// The same limit that who forgot a password meets: nobody fills the mailbox of another.
#[tokio::test]
async fn an_address_is_mailed_no_more_links_by_those_who_look_after_it() {
    let (app, post) = mailing().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let ada = app.member("ada@example.org", Role::Member).await;
    let hers = app.of_workspace(&format!("members/{ada}"));
    browser.get(&hers).await.is(200);
    let mut last = String::new();
    for _ in 0..3 {
        last = copied(browser.submit(&hers, &[("do", "link")]).await.is(200), "link");
    }
    assert_eq!(post.take().len(), 3);
    browser.submit(&hers, &[("do", "link")]).await.is(429);
    assert_eq!(forgot(&app, "Ada@example.org").await.0, 429);
    assert!(post.take().is_empty());
    let path = last.strip_prefix(&browser.origin()).unwrap().to_owned();
    app.browser().get(&path).await.is(200).says("ada@example.org");

    // Somebody for whom no account is made yet is neither made a member nor mailed.
    for _ in 0..3 {
        assert_eq!(forgot(&app, "eve@example.org").await.0, 303);
    }
    let new = app.of_workspace("members/new");
    browser.get(&new).await.is(200);
    let fields = [("email", "eve@example.org"), ("name", "Eve"), ("role", "viewer")];
    browser.submit(&new, &fields).await.is(429);
    let eve = app.sql("SELECT FROM users WHERE email = 'eve@example.org'").await;
    assert!(eve.is_empty() && post.take().is_empty());
    app.clock.advance(Duration::hours(2));
    browser
        .submit(&new, &fields)
        .await
        .is(200)
        .says("was mailed to them");
    assert_eq!(post.take().len(), 1);
}
