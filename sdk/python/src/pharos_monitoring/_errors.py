"""The errors that calls raise."""

from __future__ import annotations

import json
import re
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from . import types as t


class PharosError(Exception):
    """Everything that this library raises by itself."""


class APIConnectionError(PharosError):
    """There was no answer: no connection, or one that broke."""


class APITimeoutError(APIConnectionError):
    """There was no answer in time."""


class WaitTimeoutError(PharosError):
    """The result that was waited for did not come in time."""


class APIError(PharosError):
    """A refusal. Branch on `status` and `code`, never on the message."""

    def __init__(self, status: int, headers: Mapping[str, str], problem: t.Problem | None) -> None:
        self.status = status
        self.problem = problem
        """The whole problem, with the members that some add: `errors`, `required_scope`, `resets_on` and others."""
        self.code = problem["type"].rsplit("/", 1)[-1] if problem else None
        """Which problem it is, such as `domain-not-found`; None where something before Pharos answered."""
        self.detail = problem["detail"] if problem else None
        """Why this request was refused, in words."""
        self.help = problem["type"] if problem else None
        """The page that explains the problem, and what to do about it."""
        self.request_id = headers.get("x-request-id")
        """Name it when you ask the operator."""
        self.retry_after = _retry_after(headers)
        """Seconds after which another attempt makes sense."""
        if problem:
            request = self.request_id or "without an id"
            message = f"{status} {self.code}: {self.detail} What to do: {self.help} (request {request})"
        else:
            message = f"{status}, and not by Pharos: is the base URL right, and what lies before Pharos well?"
        super().__init__(message)


class InvalidRequestError(APIError):
    """400, 413 and 415: the request is at fault; `problem["errors"]` names each fault."""


class AuthenticationError(APIError):
    """401: no credential, or none that is valid."""


class PaymentRequiredError(APIError):
    """402: credits or a quota are spent, or the subscription does not allow changes."""


class PermissionDeniedError(APIError):
    """403: the scope, the role or the plan does not allow it."""


class NotFoundError(APIError):
    """404: no such thing, or not visible to the credential."""


class ConflictError(APIError):
    """409: the request contradicts what is there."""


class RateLimitError(APIError):
    """429: a limit is reached; `problem["bucket"]` names it."""


class ServerError(APIError):
    """5xx: Pharos, or what lies before it, failed or is away."""


_BY_STATUS: dict[int, type[APIError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    402: PaymentRequiredError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    429: RateLimitError,
}


def refusal(status: int, headers: Mapping[str, str], content: bytes) -> APIError:
    """The error of an answer that is no success."""
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else APIError)
    return kind(status, headers, _problem(content))


def _problem(content: bytes) -> t.Problem | None:
    """A body as a problem, where it is one."""
    try:
        body = json.loads(content)
    except ValueError:
        return None
    is_problem = isinstance(body, dict) and isinstance(body.get("type"), str) and isinstance(body.get("detail"), str)
    return cast("t.Problem", body) if is_problem else None


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds of a Retry-After, which may be a date."""
    text = headers.get("retry-after")
    if text is None:
        return None
    if re.fullmatch(r"[0-9]+", text):
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None
