"""Decisions of a gateway of the quota enforcer. Needs only the standard library."""

from __future__ import annotations

import http.client
import json
import queue
import urllib.parse
from dataclasses import dataclass, field
from typing import Any, Literal, Mapping

_PROBLEM = "application/problem+json"
_HEADERS = ("retry-after", "ratelimit", "x-ratelimit", "content-type")
_IDLE_CONNECTIONS = 32

# What the gateway cannot read is the request's fault: admitted, it would be a way around every limit.
_UNREADABLE = (400, 413, 414, 431)


@dataclass(frozen=True)
class Decision:
    """What was decided: ``status`` and ``headers`` are for the answer. ``problem`` is the body of a refusal, as RFC 9457
    has it; ``failure`` says why the gateway did not decide: then ``on_failure`` did, unless ``status`` is 400 or more."""

    admitted: bool
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    problem: Mapping[str, Any] | None = None
    failure: str | None = None


class DecisionClient:
    """Asks whether a request may go on. Raises nothing for what becomes of the gateway: if it does not answer in time,
    ``on_failure`` decides; what it cannot read is refused. Keeps connections alive; safe for use by any number of threads.

    Args:
        gateway: its address, as in ``http://127.0.0.1:8090``.
        token: the gateway's token, if it has one.
        timeout: seconds that an answer may take, beside what the caller waits for permits.
        on_failure: what is decided without an answer.
    """

    def __init__(
        self, gateway: str, *, token: str = "", timeout: float = 0.25, on_failure: Literal["admit", "refuse"] = "admit"
    ) -> None:
        if on_failure not in ("admit", "refuse"):
            raise ValueError(f"must be admit or refuse: on_failure={on_failure}")
        url = urllib.parse.urlsplit(gateway)
        if url.scheme not in ("http", "https") or not url.netloc:
            raise ValueError(f"must be an address such as http://127.0.0.1:8090: gateway={gateway}")
        self._connection = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        self._address = url.netloc
        self._headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
        self._timeout = timeout
        self._failed = (True, 200) if on_failure == "admit" else (False, 503)
        self._idle: queue.LifoQueue[http.client.HTTPConnection] = queue.LifoQueue(_IDLE_CONNECTIONS)

    def decide(self, attributes: Mapping[str, str], *, cost: int = 1, max_wait: float = 0.2) -> Decision:
        """Decides a request of these attributes. Waits up to ``max_wait`` seconds for permits that are on their way, but
        not longer than the gateway's ``max.wait``."""
        max_wait = max(0.0, max_wait)
        body = {"attributes": dict(attributes), "cost": cost, "maxWait": f"{round(max_wait * 1000)}ms"}
        try:
            status, headers, text = self._ask(json.dumps(body), self._timeout + max_wait)
            is_problem = headers.pop("content-type", "").startswith(_PROBLEM)
            if status == 200:
                return Decision(json.loads(text)["admitted"] is True, status, headers)
            failure = f"HTTP {status} {text[:200]}"
            if status in _UNREADABLE:
                return Decision(False, status, failure=failure)
            if is_problem and status != 401:
                return Decision(False, status, headers, problem=json.loads(text))
        except (OSError, http.client.HTTPException, ValueError, KeyError) as e:
            failure = repr(e)
        return Decision(*self._failed, failure=failure)

    def close(self) -> None:
        """Closes the connections that are idle."""
        while not self._idle.empty():
            self._idle.get_nowait().close()

    def _ask(self, body: str, timeout: float) -> tuple[int, dict[str, str], str]:
        try:
            return self._send(self._idle.get_nowait(), body, timeout)
        except (queue.Empty, ConnectionError):  # none is idle, or the gateway has closed it meanwhile
            return self._send(self._connection(self._address), body, timeout)

    def _send(self, connection: http.client.HTTPConnection, body: str, timeout: float) -> tuple[int, dict[str, str], str]:
        connection.timeout = timeout
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        try:
            connection.request("POST", "/decide", body.encode(), self._headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            self._idle.put_nowait(connection)
        except queue.Full:
            connection.close()
        except BaseException:
            connection.close()
            raise
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return answer.status, {name: value for name, value in headers.items() if name.startswith(_HEADERS)}, text
