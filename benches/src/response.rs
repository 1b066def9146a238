//! Where an answer ends, and what its status is.

use std::str;

use anyhow::{Context, Result, bail};

/// The head of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// The bytes of head and body.
    pub(crate) length: usize,
    /// Those of the body.
    pub(crate) body: usize,
}

/// Whether this is the status of a request that was done.
pub(crate) fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

/// Reads the head of an answer; `None`: there is more to come.
pub(crate) fn head(bytes: &[u8]) -> Result<Option<Head>> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut response = httparse::Response::new(&mut headers);
    let parsed = response.parse(bytes).context("an answer is no HTTP")?;
    let httparse::Status::Complete(head) = parsed else {
        return Ok(None);
    };
    let declared = response
        .headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case("content-length"));
    let Some(declared) = declared else {
        bail!("an answer has no Content-Length");
    };
    let body: usize = str::from_utf8(declared.value)?
        .trim()
        .parse()
        .context("the Content-Length of an answer")?;
    Ok(Some(Head {
        status: response.code.context("an answer has no status")?,
        length: head + body,
        body,
    }))
}

#[cfg(test)]
mod tests {
    use super::{Head, head};

    #[test]
    fn an_answer_ends_where_its_content_length_says() {
        let answer = b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 4\r\nx-cache: HIT\r\n\r\nbody";
        let whole = Head {
            status: 429,
            length: answer.len(),
            body: 4,
        };
        assert_eq!(head(answer).unwrap(), Some(whole));
        assert_eq!(head(&answer[..answer.len() - 5]).unwrap(), None);
        assert!(head(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
    }
}
