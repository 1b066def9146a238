//! Spans in OpenTelemetry's protocol: an `ExportTraceServiceRequest` of `opentelemetry.proto.collector.trace.v1`, as protobuf.

use std::time::{Duration, UNIX_EPOCH};

use crate::span::{Finished, Kind, Value};

/// The media type of such a message.
pub const MEDIA_TYPE: &str = "application/x-protobuf";

/// The kinds of values on the wire.
#[derive(Clone, Copy)]
enum Wire {
    Varint = 0,
    Fixed64 = 1,
    Bytes = 2,
}

/// The message for these spans of the thing that these attributes describe.
#[must_use]
pub fn message(resource: &[(&'static str, String)], version: &str, spans: &[Finished]) -> Vec<u8> {
    let mut request = Message::default();
    request.message(1, |of_resource| {
        of_resource.message(1, |described| {
            for (name, value) in resource {
                described.message(1, |attribute| attribute.attribute(name, |any| any.text(1, value)));
            }
        });
        of_resource.message(2, |of_scope| {
            of_scope.message(1, |scope| {
                scope.text(1, "pharos");
                scope.text(2, version);
            });
            for span in spans {
                of_scope.message(2, |message| message.span(span));
            }
        });
    });
    request.0
}

/// A message that is written.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn span(&mut self, span: &Finished) {
        let Finished {
            trace,
            id,
            parent,
            kind,
            name,
            began,
            took,
            attributes,
            has_failed,
        } = span;
        self.bytes(1, &trace.to_be_bytes());
        self.bytes(2, &id.to_be_bytes());
        if let Some(parent) = parent {
            self.bytes(4, &parent.to_be_bytes());
        }
        self.text(5, name);
        self.number(
            6,
            match kind {
                Kind::Server => 2,
                Kind::Client => 3,
                Kind::Consumer => 5,
            },
        );
        let began = began.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        self.fixed(7, nanoseconds(began));
        self.fixed(8, nanoseconds(began.saturating_add(*took)));
        for (name, value) in attributes {
            self.message(9, |attribute| {
                attribute.attribute(name, |any| match value {
                    Value::Text(text) => any.text(1, text),
                    Value::Number(number) => any.number(3, number.cast_unsigned()),
                });
            });
        }
        if *has_failed {
            self.message(15, |status| status.number(3, 2));
        }
    }

    fn attribute(&mut self, name: &str, value: impl FnOnce(&mut Self)) {
        self.text(1, name);
        self.message(2, value);
    }

    fn message(&mut self, field: u64, write: impl FnOnce(&mut Self)) {
        let mut inner = Self::default();
        write(&mut inner);
        self.bytes(field, &inner.0);
    }

    fn text(&mut self, field: u64, text: &str) {
        self.bytes(field, text.as_bytes());
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.key(field, Wire::Bytes);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn number(&mut self, field: u64, number: u64) {
        self.key(field, Wire::Varint);
        self.varint(number);
    }

    fn fixed(&mut self, field: u64, number: u64) {
        self.key(field, Wire::Fixed64);
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn key(&mut self, field: u64, wire: Wire) {
        self.varint((field << 3) | wire as u64);
    }

    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.0.push(number.to_le_bytes()[0]);
    }
}

fn nanoseconds(since: Duration) -> u64 {
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_seven_bits_a_byte() {
        for (number, want) in [
            (0, vec![0]),
            (127, vec![0x7f]),
            (128, vec![0x80, 0x01]),
            (300, vec![0xac, 0x02]),
            (u64::MAX, [vec![0xff; 9], vec![0x01]].concat()),
        ] {
            let mut message = Message::default();
            message.varint(number);
            assert_eq!(message.0, want, "{number}");
        }
    }

    /// By the published schema: field 1 of the request, of which field 2 has scope and spans.
    #[test]
    fn a_message_without_spans_has_resource_and_scope() {
        let message = message(&[("service.name", "pharos".to_owned())], "1", &[]);
        let mut want = vec![0x0a, 43, 0x0a, 26, 0x0a, 24, 0x0a, 12];
        want.extend_from_slice(b"service.name");
        want.extend_from_slice(&[0x12, 8, 0x0a, 6]);
        want.extend_from_slice(b"pharos");
        want.extend_from_slice(&[0x12, 13, 0x0a, 11, 0x0a, 6]);
        want.extend_from_slice(b"pharos");
        want.extend_from_slice(&[0x12, 1]);
        want.extend_from_slice(b"1");
        assert_eq!(message, want);
    }
}
