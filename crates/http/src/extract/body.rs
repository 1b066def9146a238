//! The JSON body.

use std::time::Duration;

use actix_web::{HttpRequest, dev::Payload, http::header, rt::time::timeout};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use pharos_domain::problem::Suffix;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use super::argument::{Argument, Call};
use crate::{
    payload::Example,
    problem::{Fault, Problem},
    shapes::Shapes,
    spec::MAX_BODY_BYTES,
};

/// How long a body may take to arrive.
const READ_WITHIN: Duration = Duration::from_secs(30);

/// The request's body as JSON. The operation's own schema has been held against it.
#[derive(Debug)]
pub struct Body<T> {
    /// All of the body that is in order, and members that are out of their bounds where it needs them; `None` where too little is.
    value: Option<T>,
    is_sound: bool,
}

impl<T> Body<T> {
    /// Whether no fault was found yet. Where one was, a member that seems to be missing may be the one that is at fault.
    #[must_use]
    pub const fn is_sound(&self) -> bool {
        self.is_sound
    }

    /// Has `judge` parse the body. Where the request is at fault already, `judge` only finds further faults, so that
    /// all are told at once and nothing is done; there is no other way to the body than this.
    ///
    /// # Errors
    /// The faults that `judge` finds; none where others were found before.
    pub fn judged<R, F>(&self, judge: impl FnOnce(&T) -> Result<R, Vec<F>>) -> Result<R, Vec<F>> {
        match (&self.value, self.is_sound) {
            (Some(value), true) => judge(value),
            (Some(value), false) => Err(judge(value).err().unwrap_or_default()),
            (None, _) => Err(Vec::new()),
        }
    }

    /// The same where it takes a while to judge the body, and others have the thread meanwhile.
    ///
    /// # Errors
    /// As those of [`Self::judged`].
    pub async fn judged_in_turn<R, F>(
        &self,
        judge: impl AsyncFnOnce(&T) -> Result<R, Vec<F>>,
    ) -> Result<R, Vec<F>> {
        match (&self.value, self.is_sound) {
            (Some(value), true) => judge(value).await,
            (Some(value), false) => Err(judge(value).await.err().unwrap_or_default()),
            (None, _) => Err(Vec::new()),
        }
    }
}

impl<T: DeserializeOwned + ToSchema + Example + serde::Serialize> Argument for Body<T> {
    fn extract(call: &Call) -> Result<Self, Problem> {
        let is_sound = call.faults.is_empty();
        match T::deserialize(&call.body.value) {
            Ok(value) => Ok(Self {
                value: Some(value),
                is_sound,
            }),
            // A member that is needed may be at fault by its bounds alone: beside it the other rules find what else is.
            Err(_) if !is_sound => Ok(Self {
                value: call
                    .body
                    .with_bounds_broken
                    .as_ref()
                    .and_then(|value| T::deserialize(value).ok()),
                is_sound,
            }),
            // The schema lets through what the type does not: a mistake of ours that is told as well as it can be.
            Err(_) => Err(Problem::invalid(vec![Fault::pointer(
                "",
                "not as the document describes it",
            )])),
        }
    }

    fn document(shapes: &mut Shapes) {
        shapes.take_body::<T>();
    }
}

/// The same of a body that may be left out, since all of its members may: none counts as one without members.
#[derive(Debug)]
pub struct OptionalBody<T>(pub Body<T>);

impl<T: DeserializeOwned + ToSchema + Example + serde::Serialize> Argument for OptionalBody<T> {
    fn extract(call: &Call) -> Result<Self, Problem> {
        Body::extract(call).map(Self)
    }

    fn document(shapes: &mut Shapes) {
        Body::<T>::document(shapes);
        shapes.body_is_required = false;
    }
}

/// Asks for a body that is announced as JSON.
pub(crate) fn expect_json(request: &HttpRequest) -> Result<(), Problem> {
    let refuse = |detail: &str| Err(Problem::new(Suffix::UnsupportedMediaType, detail));
    let headers = request.headers();
    if headers
        .get_all(header::CONTENT_ENCODING)
        .any(|coding| coding.as_bytes() != b"identity")
    {
        return refuse("Send the body without a Content-Encoding.");
    }
    let essence = headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let essence = essence.map(|kind| kind.split(';').next().unwrap_or("").trim());
    if essence.is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
        Ok(())
    } else {
        refuse("Send the body as Content-Type: application/json.")
    }
}

/// Reads the body.
pub(crate) async fn read_all(request: &HttpRequest, payload: Payload) -> Result<Bytes, Problem> {
    read_up_to(request, payload, MAX_BODY_BYTES).await
}

/// Reads a body of at most so many bytes.
///
/// # Errors
/// It is larger, broke off, or took longer than 30 seconds.
pub async fn read_up_to(request: &HttpRequest, mut payload: Payload, most: usize) -> Result<Bytes, Problem> {
    let too_large = || too_large(most);
    let announced = request.headers().get(header::CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > most) {
        return Err(too_large());
    }
    let broken = |why: &str| Problem::invalid(vec![Fault::pointer("", why)]);
    let mut bytes = BytesMut::new();
    let read = async {
        while let Some(chunk) = payload.next().await {
            let chunk = chunk.map_err(|_| broken("it ended before its length"))?;
            if bytes.len() + chunk.len() > most {
                return Err(too_large());
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(())
    };
    timeout(READ_WITHIN, read)
        .await
        .map_err(|_| broken("it did not arrive in time"))??;
    Ok(bytes.freeze())
}

/// 413: the body, as it is sent or once its coding is undone, is larger than `most` bytes.
#[must_use]
pub fn too_large(most: usize) -> Problem {
    Problem::new(
        Suffix::PayloadTooLarge,
        format!("The body is larger than {most} bytes."),
    )
}
