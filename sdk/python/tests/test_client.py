"""The layer by hand, against a server that is played here. `tests/api/sdk` has the same client call a real Pharos."""

from __future__ import annotations

import json
import threading
import time
import unittest
from collections.abc import Awaitable, Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

import pharos_monitoring as sdk
from pharos_monitoring import types as t

DOMAIN = "0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33"
KEY = "svc_dev_secret"

Handler = Callable[["Player"], None]


class Player(BaseHTTPRequestHandler):
    """Answers by the script of its server."""

    protocol_version = "HTTP/1.1"

    def do(self) -> None:
        stage = cast("Stage", self.server)
        length = int(self.headers.get("content-length", 0))
        stage.heard.append((self.command, self.path, dict(self.headers), self.rfile.read(length)))
        step = stage.script.pop(0) if len(stage.script) > 1 else stage.script[0]
        step(self)

    do_GET = do_PUT = do_POST = do_DELETE = do

    def log_message(self, *_: object) -> None:
        pass


class Stage(ThreadingHTTPServer):
    daemon_threads = True
    script: list[Handler]
    heard: list[tuple[str, str, dict[str, str], bytes]]

    def handle_error(self, *_: object) -> None:
        pass


def reply(body: object, status: int = 200, **headers: str) -> Handler:
    def play(player: Player) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        player.send_response(status)
        for name, value in headers.items():
            player.send_header(name.replace("_", "-"), value)
        player.send_header("content-length", str(len(content)))
        player.end_headers()
        player.wfile.write(content)

    return play


def problem(status: int, code: str, **headers: str) -> Handler:
    kind = f"https://pharos.example/docs/api/errors/{code}"
    return reply({"type": kind, "title": code, "status": status, "detail": f"It is {code}."}, status, **headers)


def cut(player: Player) -> None:
    player.close_connection = True
    player.connection.close()


def drip(player: Player) -> None:
    """An answer that comes byte by byte, without end."""
    player.send_response(200)
    player.end_headers()
    for _ in range(50):
        player.wfile.write(b" ")
        player.wfile.flush()
        time.sleep(0.05)


class Played:
    """A server that is played."""

    def setUp(self) -> None:
        self.stage = Stage(("127.0.0.1", 0), Player)
        self.stage.heard = []
        threading.Thread(target=self.stage.serve_forever, args=(0.01,), daemon=True).start()
        self.base = f"http://127.0.0.1:{self.stage.server_port}"

    def tearDown(self) -> None:
        self.stage.shutdown()
        self.stage.server_close()

    def play(self, *script: Handler) -> None:
        self.stage.script = list(script)
        self.stage.heard.clear()

    def heard(self, name: str) -> list[str | None]:
        """A header of each request that came."""
        return [{key.lower(): value for key, value in headers.items()}.get(name) for _, _, headers, _ in self.stage.heard]


def run(status: str, path: str = f"/api/public/v1/domains/{DOMAIN}/reports/runs/r1") -> t.Run:
    return cast("t.Run", {"run_id": "r1", "kind": "report", "status": status, "poll_path": path})


def page(items: list[int], cursor: str | None) -> Handler:
    return reply({"items": items, "next_cursor": cursor, "has_more": cursor is not None})


class Calls(Played, unittest.TestCase):
    def client(self, **options: Any) -> sdk.Pharos:
        client = sdk.Pharos(**{"base_url": self.base, "api_key": KEY, **options})
        self.addCleanup(client.close)
        return client

    def test_a_call_is_sent_as_the_document_says(self) -> None:
        self.play(reply({"state": "up"}))
        self.assertEqual(self.client().uptime.get_status(DOMAIN), {"state": "up"})
        self.assertEqual(self.stage.heard[0][:2], ("GET", f"/api/public/v1/domains/{DOMAIN}/uptime/status"))
        self.assertEqual(self.heard("authorization"), [f"Bearer {KEY}"])
        self.assertEqual(self.heard("idempotency-key"), [None])

    def test_lists_are_repeated_and_what_is_left_out_is_not_sent(self) -> None:
        self.play(reply({}))
        self.client().analytics.get_funnel(DOMAIN, step=["page:/", "event:a b"], country=None)
        self.client().platform.list_domains(include_modules=True).first()
        queries = [path.partition("?")[2] for _, path, _, _ in self.stage.heard]
        self.assertEqual(queries, ["step=page%3A%2F&step=event%3Aa+b", "include_modules=true"])
        self.client().uptime.update_config(DOMAIN, interval_seconds=300, keyword=None)
        self.assertEqual(json.loads(self.stage.heard[2][3]), {"interval_seconds": 300, "keyword": None})

    def test_a_refusal_is_a_typed_problem(self) -> None:
        self.play(problem(404, "domain-not-found", x_request_id="0190"))
        with self.assertRaises(sdk.NotFoundError) as caught:
            self.client().platform.get_domain(DOMAIN)
        error = caught.exception
        self.assertEqual((error.status, error.code, error.request_id), (404, "domain-not-found", "0190"))
        self.assertRegex(str(error), r"It is domain-not-found\. What to do: https://pharos.example/.*0190")

    def test_an_answer_of_something_else_is_an_error(self) -> None:
        self.play(reply(b"<p>Hello", 403))
        with self.assertRaises(sdk.PermissionDeniedError) as caught:
            self.client().platform.get_me()
        self.assertEqual((caught.exception.code, caught.exception.problem), (None, None))
        self.play(reply(b"<p>Hello"))
        with self.assertRaisesRegex(sdk.PharosError, "is the base URL right"):
            self.client().platform.get_me()
        self.play(reply(b"", 307, location="http://127.0.0.1:9/"))
        with self.assertRaises(sdk.APIError):
            self.client().platform.get_me()

    def test_retry_after_is_waited_for_and_no_longer_than_a_minute(self) -> None:
        self.play(problem(429, "rate-limited", retry_after="1"), reply({}))
        began = time.monotonic()
        self.client().platform.get_me()
        self.assertGreaterEqual(time.monotonic() - began, 1)
        self.play(problem(429, "rate-limited", retry_after="3600"))
        with self.assertRaises(sdk.RateLimitError) as caught:
            self.client().platform.get_me()
        self.assertEqual((caught.exception.retry_after, len(self.stage.heard)), (3600, 1))

    def test_retries_end(self) -> None:
        self.play(problem(503, "credit-balance-unavailable", retry_after="0"))
        with self.assertRaises(sdk.ServerError):
            self.client().platform.get_me()
        self.assertEqual(len(self.stage.heard), 3)
        with self.assertRaises(sdk.ServerError):
            self.client().with_options(max_retries=0).platform.get_me()
        self.assertEqual(len(self.stage.heard), 4)

    def test_a_run_keeps_one_key_over_its_retries(self) -> None:
        self.play(cut, problem(409, "idempotency-in-progress", retry_after="0"), reply({}, 202))
        self.client().uptime.run_check(DOMAIN)
        self.client().uptime.run_check(DOMAIN)
        self.client().uptime.run_check(DOMAIN, idempotency_key="mine")
        keys = self.heard("idempotency-key")
        self.assertEqual((len(set(keys[:3])), len(set(keys[2:])), keys[4]), (1, 3, "mine"))

    def test_a_change_that_may_have_been_made_is_not_sent_again(self) -> None:
        url = "https://shop.example/sitemap.xml"
        for answer in (cut, problem(500, "internal-error", retry_after="0")):
            self.play(answer)
            with self.assertRaises(sdk.PharosError):
                self.client().sitemap.create_file(DOMAIN, url=url)
            self.assertEqual(len(self.stage.heard), 1)
        self.play(problem(429, "rate-limited", retry_after="0"), reply({}, 201))
        self.client().sitemap.create_file(DOMAIN, url=url)
        self.assertEqual(len(self.stage.heard), 2)
        self.play(problem(409, "idempotency-key-reuse"))
        with self.assertRaises(sdk.ConflictError):
            self.client().uptime.run_check(DOMAIN)
        self.assertEqual(len(self.stage.heard), 1)

    def test_a_call_that_takes_too_long_ends(self) -> None:
        for slow in (drip, lambda _: time.sleep(0.5)):
            self.play(slow)
            began = time.monotonic()
            with self.assertRaises(sdk.APITimeoutError):
                self.client(timeout=0.2, max_retries=0).platform.get_me()
            self.assertLess(time.monotonic() - began, 2)

    def test_lists_go_on_by_cursor_and_by_offset(self) -> None:
        self.play(page([1, 2], "b"), page([3], "c"), page([4], None))
        self.assertEqual(list(self.client().uptime.list_checks(DOMAIN, limit=2)), [1, 2, 3, 4])
        queries = [path.partition("?")[2] for _, path, _, _ in self.stage.heard]
        self.assertEqual(queries, ["limit=2", "limit=2&cursor=b", "limit=2&cursor=c"])
        self.play(page([1, 2], "b"))
        self.assertEqual(self.client().uptime.list_checks(DOMAIN).first()["next_cursor"], "b")
        with self.assertRaisesRegex(sdk.PharosError, "cursor came twice"):
            list(self.client().uptime.list_checks(DOMAIN))
        rows = [{"items": items, "offset": offset, "limit": 2, "total_rows": 3} for offset, items in ((0, [1, 2]), (2, [3]))]
        self.play(*map(reply, rows))
        pages = self.client().analytics.list_report_rows(DOMAIN, DOMAIN).pages()
        self.assertEqual([len(page["items"]) for page in pages], [2, 1])
        self.assertTrue(self.stage.heard[1][1].endswith("?offset=2"))

    def test_a_run_is_waited_for_and_not_for_ever(self) -> None:
        self.play(reply(run("running")), reply(run("failed")))
        self.assertEqual(self.client().wait_for_run(run("queued"), interval=0.01)["status"], "failed")
        self.play(reply(run("running")))
        with self.assertRaises(sdk.WaitTimeoutError):
            self.client().wait_for_run(run("queued"), interval=0.01, timeout=0.05)
        with self.assertRaisesRegex(sdk.PharosError, "poll what it finds"):
            self.client().wait_for_run(run("queued", "/x/uptime/checks?run_id=r1"))
        with self.assertRaisesRegex(sdk.PharosError, "on the host"):
            self.client().wait_for_run(run("queued", "//127.0.0.1:9/runs/r1"))
        looks = iter(range(9))
        self.assertEqual(sdk.poll(lambda: next(looks), lambda look: look == 3, interval=0.001), 3)

    def test_what_can_not_be_is_refused_without_showing_secrets(self) -> None:
        self.play(reply({}))
        for base in ("shop.example", "ftp://shop.example", f"{self.base}/api", "http://a:b@shop.example", "http://[", ""):
            with self.assertRaisesRegex(sdk.PharosError, "base_url|PHAROS_URL"):
                sdk.Pharos(base_url=base, api_key=KEY)
        with self.assertRaisesRegex(sdk.PharosError, "PHAROS_API_KEY"):
            sdk.Pharos(base_url=self.base)
        with self.assertRaisesRegex(sdk.PharosError, "not both"):
            self.client(access_token="a")
        for value in ("", ".", ".."):
            with self.assertRaisesRegex(sdk.PharosError, "must be an id"):
                self.client().platform.get_domain(value)
        with self.assertRaises(sdk.PharosError) as caught:
            self.client(api_key="svc_dev_secret\r\nx").platform.get_me()
        self.assertNotIn("secret", str(caught.exception) + repr(self.client()))
        self.assertEqual(self.stage.heard, [])

    def test_a_token_is_asked_for_before_each_attempt_and_answers_are_told_of(self) -> None:
        tokens = iter(("one", "two\n"))
        told: list[sdk.AnswerFacts] = []
        self.play(problem(503, "api-disabled", retry_after="0"), reply({}, x_credits_cost="5", idempotent_replayed="true"))
        client = self.client(api_key=None, access_token=lambda: next(tokens), on_answer=told.append)
        client.platform.get_me()
        self.assertEqual(self.heard("authorization"), ["Bearer one", "Bearer two"])
        facts = [(fact.operation_id, fact.status, fact.attempt, fact.credits_cost, fact.is_replay) for fact in told]
        self.assertEqual(facts, [("getMe", 503, 1, None, False), ("getMe", 200, 2, 5, True)])


class AwaitedCalls(Played, unittest.IsolatedAsyncioTestCase):
    """The same by asyncio, as far as its code is another."""

    async def client(self, **options: Any) -> sdk.AsyncPharos:
        client = sdk.AsyncPharos(**{"base_url": self.base, "api_key": KEY, **options})
        self.addAsyncCleanup(client.close)
        return client

    async def raises(self, kind: type[sdk.PharosError], call: Awaitable[object]) -> sdk.PharosError:
        with self.assertRaises(kind) as caught:
            await call
        return caught.exception

    async def test_calls_are_retried_with_one_key(self) -> None:
        self.play(cut, problem(429, "rate-limited", retry_after="0"), reply({}, 202))
        await (await self.client()).uptime.run_check(DOMAIN)
        self.assertEqual((len(self.stage.heard), len(set(self.heard("idempotency-key")))), (3, 1))
        self.play(problem(503, "api-disabled", retry_after="0"))
        await self.raises(sdk.ServerError, (await self.client()).with_options(max_retries=1).platform.get_me())
        self.assertEqual(len(self.stage.heard), 2)

    async def test_a_call_that_takes_too_long_ends(self) -> None:
        for slow in (drip, lambda _: time.sleep(0.5)):
            self.play(slow)
            client = await self.client(timeout=0.2, max_retries=0)
            await self.raises(sdk.APITimeoutError, client.platform.get_me())

    async def test_lists_go_on(self) -> None:
        self.play(page([1, 2], "b"), page([3], None))
        checks = (await self.client()).uptime.list_checks(DOMAIN)
        self.assertEqual([check async for check in checks], [1, 2, 3])
        self.assertEqual((await checks.first())["items"], [3])

    async def test_runs_are_waited_for_and_tokens_awaited(self) -> None:
        async def token() -> str:
            return "one"

        self.play(reply(run("running")), reply(run("succeeded")))
        client = await self.client(api_key=None, access_token=token)
        self.assertEqual((await client.wait_for_run(run("queued"), interval=0.01))["status"], "succeeded")
        self.assertEqual(self.heard("authorization"), ["Bearer one"] * 2)


if __name__ == "__main__":
    unittest.main()
