//! Forms that are sent again while their first answer is still on its way, as a double click does: the browser shows the last answer
//! alone, so both have the secret that is shown once, and lead to the one thing that was made.

use std::{fmt, time::Duration};

use actix_web::{
    HttpResponse,
    body::MessageBody,
    http::{
        StatusCode,
        header::{HeaderName, HeaderValue},
    },
    rt,
    web::Bytes,
};
use maud::{Markup, html};
use moka::future::Cache;
use pharos_auth::secret::SecretDigest;
use uuid::Uuid;

use crate::refusal::Refusal;

/// The name of the field that tells a form from others that say the same.
pub(crate) const FIELD: &str = "form_id";

/// How long an answer is kept.
const KEPT: Duration = Duration::from_secs(60);
/// How much those of a node may take together, in bytes.
const MOST_BYTES: u64 = 16 << 20;
/// The bytes that an answer takes besides its page, about.
const OVERHEAD: usize = 1_024;

/// The hidden field of a form whose answer is the same if it is sent again.
pub(crate) fn field() -> Markup {
    html! { input type="hidden" name=(FIELD) value=(Uuid::new_v4()); }
}

/// An answer as it was given.
#[derive(Clone)]
struct Answer {
    status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Bytes,
}

/// An answer that is not kept, so that the form can be sent once more.
enum Unkept {
    Refused(Refusal),
    Fault(Answer),
}

/// The answers of a node to forms that it has got in the last minute. They lie in memory alone.
#[derive(Clone)]
pub(crate) struct Repeated(Cache<SecretDigest, Answer>);

impl fmt::Debug for Repeated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Repeated(…)")
    }
}

impl Default for Repeated {
    fn default() -> Self {
        Self(
            Cache::builder()
                .max_capacity(MOST_BYTES)
                .weigher(|_: &SecretDigest, answer: &Answer| {
                    u32::try_from(answer.body.len() + OVERHEAD).unwrap_or(u32::MAX)
                })
                .time_to_live(KEPT)
                .build(),
        )
    }
}

impl Repeated {
    /// The answer to a form of this digest: that of `work`, or, where the form came before, the one that it had. The work goes on
    /// when its request is given up, since the same form may follow. `None`: the form has no field that tells it from others.
    pub(crate) async fn answer(
        &self,
        form: Option<SecretDigest>,
        work: impl Future<Output = Result<HttpResponse, Refusal>> + 'static,
    ) -> Result<HttpResponse, Refusal> {
        let Some(form) = form else {
            return work.await;
        };
        let answers = self.0.clone();
        let answered = rt::spawn(async move { answers.try_get_with(form, answer(work)).await });
        match answered.await {
            Ok(Ok(answer)) => Ok(answer.response()),
            Ok(Err(unkept)) => match &*unkept {
                Unkept::Refused(refusal) => Err(refusal.clone()),
                Unkept::Fault(answer) => Ok(answer.response()),
            },
            Err(_) => Err(Refusal::Internal),
        }
    }
}

async fn answer(work: impl Future<Output = Result<HttpResponse, Refusal>>) -> Result<Answer, Unkept> {
    let (head, body) = work.await.map_err(Unkept::Refused)?.into_parts();
    let headers = head.headers().iter();
    let answer = Answer {
        status: head.status(),
        headers: headers
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
        // Each page is made as one text.
        body: body.try_into_bytes().unwrap_or_default(),
    };
    if answer.status.is_success() || answer.status.is_redirection() {
        Ok(answer)
    } else {
        Err(Unkept::Fault(answer))
    }
}

impl Answer {
    fn response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status);
        for (name, value) in &self.headers {
            response.append_header((name.clone(), value.clone()));
        }
        response.body(self.body.clone())
    }
}
