"""Calls through the client that `python_client.py` generates."""

import json
import sys
from uuid import UUID

from pharos_client import AuthenticatedClient
from pharos_client.api.oauth import issue_oauth_token
from pharos_client.api.uptime import (
    get_uptime_availability,
    get_uptime_incident,
    list_uptime_checks,
    update_uptime_config,
)
from pharos_client.models import (
    CheckInterval,
    CheckOutcome,
    Granularity,
    OauthError,
    OauthErrorCode,
    OauthGrantType,
    OauthTokenRequest,
    Period,
    Problem,
    ProblemSuffix,
    UptimeAvailability,
    UptimeCheckPage,
    UptimeConfig,
    UptimeConfigUpdate,
)

base, key, domain = sys.argv[1], sys.argv[2], UUID(sys.argv[3])
none = UUID("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11")
client = AuthenticatedClient(base_url=base, token=key)


def say(**step: object) -> None:
    print(json.dumps(step), flush=True)


availability = get_uptime_availability.sync(
    domain, client=client, granularity=Granularity.WEEK, period=Period.LAST_7_DAYS
)
assert isinstance(availability, UptimeAvailability), availability
say(pieces=len(availability.items) > 0)

checks = list_uptime_checks.sync(domain, client=client, outcome=CheckOutcome.DOWN)
assert isinstance(checks, UptimeCheckPage), checks
say(checks=[check.outcome for check in checks.items])

config = update_uptime_config.sync(
    domain, client=client, body=UptimeConfigUpdate(interval_seconds=CheckInterval.VALUE_300)
)
assert isinstance(config, UptimeConfig), config
say(interval=config.interval_seconds)

problem = get_uptime_incident.sync(domain, none, client=client)
assert isinstance(problem, Problem), problem
say(problem=ProblemSuffix(problem.type_.rsplit("/", 1)[-1]) is ProblemSuffix.INCIDENT_NOT_FOUND)

refused = issue_oauth_token.sync(
    client=client,
    body=OauthTokenRequest(
        grant_type=OauthGrantType.REFRESH_TOKEN, refresh_token="prt_none", client_id=str(none), resource=base
    ),
)
assert isinstance(refused, OauthError), refused
say(refused=refused.error is OauthErrorCode.INVALID_CLIENT and "invalid_client")
