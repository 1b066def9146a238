"""The examples of docs/guides/sdks.md, against a real Pharos. Checked by mypy at its strictest, and run; prints a JSON object a line."""

import asyncio
import json
import sys
import time
import uuid

from pharos_monitoring import AnswerFacts, APIError, AsyncPharos, AuthenticationError, Pharos, poll
from pharos_monitoring.types import UptimeConfig

domain_id, busy, cut = sys.argv[1:]


def say(**step: object) -> None:
    print(json.dumps(step), flush=True)


pharos = Pharos()
for domain in pharos.platform.list_domains():
    say(domain=domain["domain"])

config: UptimeConfig = pharos.uptime.update_config(domain_id, interval_seconds=300)
say(interval=config["interval_seconds"])

for threshold_value in (2, 3, 4):
    pharos.alerts.create_rule(
        domain_id,
        module="uptime",
        metric="consecutive_failures",
        operator="gte",
        threshold_value=threshold_value,
    )
rules = pharos.alerts.list_rules(module="uptime", limit=1)
newest = rules.first()
thresholds = sorted(round(rule["threshold_value"] or 0) for rule in rules)
pages = sum(len(page["items"]) for page in rules.pages())
say(has_more=newest["has_more"], thresholds=thresholds, pages=pages)

try:
    pharos.uptime.get_incident(domain_id, str(uuid.uuid4()))
except APIError as error:
    if error.code != "incident-not-found":
        raise
    say(missing=error.status, help=(error.help or "").split("/")[-1], request=error.request_id is not None)

try:
    Pharos(api_key="svc_dev_nobody").platform.get_me()
except AuthenticationError as error:
    say(refused=error.code)

answers: list[AnswerFacts] = []
began = time.monotonic()
Pharos(base_url=busy, on_answer=answers.append).platform.get_me()
say(attempts=[answer.status for answer in answers], waited=time.monotonic() - began >= 1)

replays: list[AnswerFacts] = []
check = Pharos(base_url=cut, on_answer=replays.append).uptime.run_check(domain_id)
say(check=check["status"], replays=[(answer.attempt, answer.is_replay) for answer in replays])

asked = pharos.analytics.create_report_run(
    domain_id, "pages_full", start_date="2026-03-30", end_date="2026-04-03"
)
run = pharos.wait_for_run(asked, timeout=120)
if run["status"] != "succeeded":
    raise RuntimeError(run["error_detail"] or run["status"])
rows = list(pharos.analytics.list_report_rows(domain_id, run["run_id"], limit=2))
say(report=run["status"], all=len(rows) > 2 and len(rows) == run["total_rows"])

runs = poll(
    lambda: pharos.analytics.list_report_runs(domain_id, status="succeeded").first(),
    lambda page: len(page["items"]) > 0,
)
say(runs=len(runs["items"]))


async def main() -> None:
    async with AsyncPharos() as pharos:
        me = await pharos.platform.get_me()
        names = [domain["domain"] async for domain in pharos.platform.list_domains()]
        say(names=names, scopes=len(me["effective_scopes"]) > 0)


asyncio.run(main())
