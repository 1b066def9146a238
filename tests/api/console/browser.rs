//! A browser without scripts: it keeps cookies, and sends forms with the token of the page that it saw last.

use std::{collections::BTreeMap, net::SocketAddr};

use crate::harness::{Reply, Request};

/// A browser.
#[derive(Clone)]
pub(crate) struct Browser {
    address: SocketAddr,
    pub(crate) cookies: BTreeMap<String, String>,
    /// The token of the last page that had a form.
    pub(crate) token: String,
    /// The name that it sends of itself.
    pub(crate) agent: Option<&'static str>,
}

impl Browser {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self {
            address,
            cookies: BTreeMap::new(),
            token: String::new(),
            agent: None,
        }
    }

    /// The origin of the pages.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Asks for a page.
    pub(crate) async fn get(&mut self, path: &str) -> Page {
        let request = Request::new(self.address, "GET", &format!("/{path}"));
        self.send(request).await
    }

    /// Sends a form with the token.
    pub(crate) async fn submit(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let token = self.token.clone();
        let fields = [&[("token", token.as_str())], fields].concat();
        self.post(path, &fields, &self.origin()).await
    }

    /// Sends a form as it is, from a page of `origin`.
    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)], origin: &str) -> Page {
        let body: String = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        let request = Request::new(self.address, "POST", &format!("/{path}"))
            .body("application/x-www-form-urlencoded", body)
            .header("origin", origin);
        self.send(request).await
    }

    async fn send(&mut self, mut request: Request) -> Page {
        if !self.cookies.is_empty() {
            let cookies = self.cookies.iter().map(|(name, value)| format!("{name}={value}"));
            request = request.header("cookie", cookies.collect::<Vec<_>>().join("; "));
        }
        if let Some(agent) = self.agent {
            request = request.header("user-agent", agent);
        }
        let page = Page(request.send_unchecked().await);
        for cookie in page.0.headers.get_all("set-cookie") {
            let cookie = cookie.to_str().unwrap();
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            if cookie.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        if let Some(token) = page.hidden("token") {
            self.token = token;
        }
        page
    }
}

/// A page, or where it leads.
pub(crate) struct Page(pub(crate) Reply);

impl Page {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.body.to_vec()).unwrap()
    }

    /// Asserts the status, and what every page has.
    #[track_caller]
    pub(crate) fn is(&self, status: u16) -> &Self {
        let text = self.text();
        assert_eq!(self.0.status, status, "{text}");
        let policy = self.0.header("content-security-policy").unwrap();
        for directive in [
            "default-src 'none'",
            "style-src 'self'",
            "script-src 'self'",
            "img-src 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
        ] {
            assert!(policy.contains(directive), "{policy}");
        }
        // Apps send their users on wherever they like, and browsers would hold that to the consent screen's policy.
        let leads_away = text.contains("<form class=\"consent\"");
        assert_eq!(policy.contains("form-action 'self'"), !leads_away, "{policy}");
        assert_eq!(policy.contains("form-action"), !leads_away, "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(self.0.header("cache-control"), Some("no-store"));
        assert_eq!(self.0.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(self.0.header("referrer-policy"), Some("same-origin"));
        assert_eq!(self.0.header("access-control-allow-origin"), None);
        assert!(text.contains("<html lang=\"en\">"));
        assert!(!text.contains(" style=") && !text.contains(" onclick"));
        let scripts = text.matches("<script").count();
        assert_eq!(scripts, text.matches("<script src=\"/console/script/").count());
        self
    }

    /// Asserts that the page says something.
    #[track_caller]
    pub(crate) fn says(&self, words: &str) -> &Self {
        let text = self.text();
        assert!(text.contains(words), "{words:?} is not in {text}");
        self
    }

    /// Asserts that the page does not.
    #[track_caller]
    pub(crate) fn is_silent_on(&self, words: &str) -> &Self {
        let text = self.text();
        assert!(!text.contains(words), "{words:?} is in {text}");
        self
    }

    /// Asserts that the browser is sent on by GET.
    #[track_caller]
    pub(crate) fn leads_to(&self, location: &str) -> &Self {
        assert_eq!(self.location(), location);
        self
    }

    /// Where the browser is sent on to.
    #[track_caller]
    pub(crate) fn location(&self) -> String {
        assert_eq!(self.0.status, 303, "{}", self.text());
        self.0.header("location").unwrap().to_owned()
    }

    /// The value of a hidden field.
    pub(crate) fn hidden(&self, name: &str) -> Option<String> {
        let text = self.text();
        let (_, rest) = text.split_once(&format!("name=\"{name}\" value=\""))?;
        rest.split('"').next().map(str::to_owned)
    }

    /// The one link whose address begins so.
    #[track_caller]
    pub(crate) fn link(&self, start: &str) -> String {
        let [link] = &self.links(start)[..] else {
            panic!("one link to {start} in {}", self.text());
        };
        link.clone()
    }

    /// The links whose addresses begin so.
    pub(crate) fn links(&self, start: &str) -> Vec<String> {
        let text = self.text();
        let links = text
            .split("href=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next());
        links
            .filter(|link| link.starts_with(start))
            .map(str::to_owned)
            .collect()
    }

    /// The values of the ticked, or of all, boxes of that name.
    pub(crate) fn boxes(&self, name: &str, ticked: bool) -> Vec<String> {
        let text = self.text();
        let boxes = text.split("<input type=\"checkbox\"").skip(1).filter_map(|rest| {
            let tag = rest.split('>').next()?;
            let value = tag.split_once("value=\"")?.1.split('"').next()?;
            let is_named = tag.contains(&format!("name=\"{name}\""));
            (is_named && (!ticked || tag.ends_with("checked"))).then(|| value.to_owned())
        });
        boxes.collect()
    }
}
