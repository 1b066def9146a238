"""Receives traces as a collector does, by OTLP as protobuf over HTTP, has them read by OpenTelemetry's own classes, and prints each span
as a line of JSON, after a line with its port.
"""

import http.server
import json

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status


def attributes(found) -> dict:
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in found}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"] or 0))
        if self.path != "/v1/traces" or self.headers["content-type"] != "application/x-protobuf":
            self.send_error(404)
            return
        for of_resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            for of_scope in of_resource.scope_spans:
                for span in of_scope.spans:
                    line = {
                        "resource": attributes(of_resource.resource.attributes),
                        "scope": of_scope.scope.name,
                        "authorization": self.headers["authorization"],
                        "trace": span.trace_id.hex(),
                        "id": span.span_id.hex(),
                        "parent": span.parent_span_id.hex(),
                        "name": span.name,
                        "kind": Span.SpanKind.Name(span.kind),
                        "begin": span.start_time_unix_nano,
                        "end": span.end_time_unix_nano,
                        "attributes": attributes(span.attributes),
                        "status": Status.StatusCode.Name(span.status.code),
                    }
                    print(json.dumps(line), flush=True)
        answer = ExportTraceServiceResponse().SerializeToString()
        self.send_response(200)
        self.send_header("content-type", "application/x-protobuf")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
