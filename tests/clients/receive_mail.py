"""Receives mails by aiosmtpd and prints each as a line of JSON, after a line with its port. A mail whose text says `Refuse this`
is refused for good, and not printed.

Arguments: `smtps` or `starttls`, a certificate, its key, and how many mails it drops: then the connection breaks off in the
middle of the mail. The password of `pharos` is `correct horse`.
"""

import asyncio
import base64
import email
import email.policy
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

mode, certificate, key, drops = sys.argv[1:]


class Handler:
    def __init__(self) -> None:
        self.drops = int(drops)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.drops > 0:
            self.drops -= 1
            server.transport.abort()
            return "421 gone"
        message = email.message_from_bytes(envelope.original_content, policy=email.policy.default)
        text = message.get_body(("plain",)).get_content()
        if "Refuse this" in text:
            return "554 not this one"
        files = [
            {
                "name": part.get_filename(),
                "type": part.get_content_type(),
                "base64": base64.b64encode(part.get_payload(decode=True)).decode(),
            }
            for part in message.iter_attachments()
        ]
        mail = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "user": session.auth_data.login.decode() if session.auth_data else None,
            "headers": dict(message.items()),
            "text": text,
            "html": message.get_body(("html",)).get_content(),
            "files": files,
        }
        print(json.dumps(mail), flush=True)
        return "250 taken"


def authenticate(server, session, envelope, mechanism, data) -> AuthResult:
    is_known = isinstance(data, LoginPassword) and data.login == b"pharos" and data.password == b"correct horse"
    return AuthResult(success=is_known, handled=is_known, auth_data=data)


async def main() -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    handler = Handler()
    if mode == "starttls":
        options = {"tls_context": context, "require_starttls": True}
    else:
        # It does not know that the connection is encrypted from the beginning on.
        options = {"auth_require_tls": False}
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(handler, authenticator=authenticate, auth_required=True, **options),
        "127.0.0.1",
        0,
        ssl=None if mode == "starttls" else context,
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
