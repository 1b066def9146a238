"""Client of the Pharos API: website monitoring and analytics that you host yourself."""

from ._client import AsyncPharos, Pharos
from ._errors import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    AuthenticationError,
    ConflictError,
    InvalidRequestError,
    NotFoundError,
    PaymentRequiredError,
    PermissionDeniedError,
    PharosError,
    RateLimitError,
    ServerError,
    WaitTimeoutError,
)
from ._http import AnswerFacts
from ._pages import AsyncPages, Pages
from ._runs import async_poll, poll

__all__ = [
    "APIConnectionError",
    "APIError",
    "APITimeoutError",
    "AnswerFacts",
    "AsyncPages",
    "AsyncPharos",
    "AuthenticationError",
    "ConflictError",
    "InvalidRequestError",
    "NotFoundError",
    "Pages",
    "PaymentRequiredError",
    "PermissionDeniedError",
    "Pharos",
    "PharosError",
    "RateLimitError",
    "ServerError",
    "WaitTimeoutError",
    "async_poll",
    "poll",
]
