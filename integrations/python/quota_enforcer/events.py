"""Request events, for services that report requests after the fact."""

from __future__ import annotations

import logging
import queue
import secrets
import threading
import time
from typing import Any, Mapping, Protocol, Tuple

from kafka import KafkaProducer
from kafka.errors import MessageSizeTooLargeError, RecordListTooLargeError

from quota_enforcer.encoding import Registry, encode, header_for

_log = logging.getLogger(__name__)
_MAX_COST = 1_000_000_000_000
_MAX_ID_CHARS = 200
# Below the MiB of a producer's request and of a broker's record, with the key and the header.
_MAX_BYTES = 900_000
_OUTCOMES = ("ADMITTED", "THROTTLED", "DEFERRED")
_BATCH = 500
_RETRY_SECONDS = 1.0
_LAST_RETRIES_SECONDS = 0.05
_SEND_SECONDS = 10.0
# What a record fails with however often it is sent.
_FOR_GOOD = (MessageSizeTooLargeError, RecordListTooLargeError)

#: The id and the Avro binary of an event.
_Waiting = Tuple[str, bytes]


class RefusedError(Exception):
    """Kafka will never take some events of a batch.

    Args:
        reason: why, for the log.
        refused: these events, which are dropped.
        left: others that were not acknowledged, and are sent again.
    """

    def __init__(self, reason: object, refused: list[_Waiting], left: list[_Waiting]) -> None:
        super().__init__(str(reason))
        self.refused = refused
        self.left = left


class Sender(Protocol):
    """Writes events to Kafka."""

    def send(self, batch: list[_Waiting]) -> list[_Waiting]:
        """Returns those that were not acknowledged, or raises for all; ``RefusedError`` if some never will be."""

    def close(self) -> None:
        """Ends it; may be called without having sent."""


class RequestEventEmitter:
    """Emits request events. ``emit`` never waits: a thread sends them, and again, with the same id, until Kafka has
    acknowledged them. The enforcer counts each id once. Safe for use by any number of threads.

    Args:
        bootstrap_servers: as in ``127.0.0.1:9092``, several separated by commas.
        service: name of the service, for the audit log.
        topic: of the events.
        capacity: how many events may wait; more are dropped, and counted.
        registry: schema registry to write ids of; without one, records carry the schema's fingerprint.
        sender: writes to Kafka in another way.
        **kafka: further settings of ``KafkaProducer``, such as ``security_protocol``.
    """

    def __init__(
        self,
        bootstrap_servers: str = "",
        *,
        service: str = "",
        topic: str = "quota.request-events",
        capacity: int = 10_000,
        registry: Registry | None = None,
        sender: Sender | None = None,
        **kafka: Any,
    ) -> None:
        self._service = service
        self._queue: queue.Queue[_Waiting] = queue.Queue(capacity)
        self._sender = sender or _KafkaSender(topic, registry, {"bootstrap_servers": bootstrap_servers, **kafka})
        self._id_prefix = secrets.token_hex(8) + "-"
        self._lock = threading.Lock()
        self._sequence = 0
        self._dropped = 0
        self._acknowledged = 0
        self._deadline = float("inf")
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="quota-request-events", daemon=True)
        self._thread.start()

    def emit(
        self,
        attributes: Mapping[str, str],
        *,
        cost: int = 1,
        outcome: str = "ADMITTED",
        id: str | None = None,
        time_micros: int | None = None,
    ) -> bool:
        """Emits a request that nobody has counted.

        Args:
            attributes: what rules match on, such as ``{"user": "42", "api": "POST /posts"}``.
            cost: permits.
            outcome: ``ADMITTED``, ``THROTTLED`` or ``DEFERRED``; only the first takes permits.
            id: of the event, for a caller that may report it again.
            time_micros: when it was decided, in microseconds since 1970 (UTC); now unless given.

        Returns:
            False if it was dropped as too many are waiting.

        Raises:
            ValueError, avro.errors.AvroException: the enforcer would refuse it.
        """
        if not 1 <= cost <= _MAX_COST:
            raise ValueError(f"must be 1 to {_MAX_COST}: cost={cost}")
        if outcome not in _OUTCOMES:
            raise ValueError(f"must be one of {_OUTCOMES}: outcome={outcome}")
        if id is not None and not 1 <= len(id) <= _MAX_ID_CHARS:
            raise ValueError(f"must have 1 to {_MAX_ID_CHARS} characters: id has {len(id)}")
        event_id = id or self._next_id()
        body = encode(
            {
                "id": event_id,
                "attributes": dict(attributes),
                "cost": cost,
                "timeMicros": time.time_ns() // 1_000 if time_micros is None else time_micros,
                "outcome": outcome,
                "countedBy": "ENFORCER",
                "service": self._service,
            }
        )
        if len(body) > _MAX_BYTES:
            raise ValueError(f"must have at most {_MAX_BYTES} bytes: event has {len(body)}")
        try:
            if not self._stopping.is_set():
                self._queue.put_nowait((event_id, body))
                return True
        except queue.Full:
            pass
        self._drop(1)
        return False

    @property
    def acknowledged(self) -> int:
        """How many events Kafka has acknowledged."""
        return self._acknowledged

    @property
    def dropped(self) -> int:
        """How many events were dropped, as too many were waiting, as Kafka refused them for good, or as it was away
        when the emitter was closed.
        """
        return self._dropped

    def close(self, timeout: float = 10.0) -> None:
        """Sends what is waiting, for at most ``timeout`` seconds, and ends."""
        self._deadline = time.monotonic() + timeout
        self._stopping.set()
        self._thread.join(timeout + _RETRY_SECONDS)

    def __enter__(self) -> RequestEventEmitter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _next_id(self) -> str:
        with self._lock:
            self._sequence += 1
            return f"{self._id_prefix}{self._sequence}"

    def _drop(self, events: int) -> None:
        with self._lock:
            self._dropped += events

    def _run(self) -> None:
        batch: list[_Waiting] = []
        failing = False
        while time.monotonic() < self._deadline:
            batch = batch or self._take()
            if not batch:
                if self._stopping.is_set():
                    break
                continue
            taken = len(batch)
            failure: object = None
            try:
                batch = self._sender.send(batch)
            except RefusedError as e:
                batch = e.left
                taken -= len(e.refused)
                self._drop(len(e.refused))
                _log.warning("dropped %d request events that Kafka does not take: %s", len(e.refused), e)
            except Exception as e:  # whatever a Kafka client throws must not end the thread
                failure = e
            self._acknowledged += taken - len(batch)
            if batch and failure is None:
                failure = f"{len(batch)} were not acknowledged"
            if failure and not failing:
                _log.warning("cannot write request events; they wait, as many as there is room for: %s", failure)
            failing = failure is not None
            if failing:
                time.sleep(_LAST_RETRIES_SECONDS) if self._stopping.is_set() else self._stopping.wait(_RETRY_SECONDS)
        self._drop(len(batch) + self._queue.qsize())
        self._sender.close()

    def _take(self) -> list[_Waiting]:
        batch: list[_Waiting] = []
        try:
            batch.append(self._queue.get(timeout=0.05))
            while len(batch) < _BATCH:
                batch.append(self._queue.get_nowait())
        except queue.Empty:
            pass
        return batch


class _KafkaSender:
    def __init__(self, topic: str, registry: Registry | None, settings: Mapping[str, Any]) -> None:
        self._topic = topic
        self._registry = registry
        self._settings = {"acks": "all", "linger_ms": 5, "max_block_ms": 5_000, **settings}
        self._header: bytes | None = None
        self._producer: KafkaProducer | None = None

    def send(self, batch: list[_Waiting]) -> list[_Waiting]:
        self._header = self._header or header_for(self._topic, self._registry)
        self._producer = self._producer or KafkaProducer(**self._settings)
        # An id that comes again is known in the partition of its key, which the default partitioner keeps.
        sent = [
            (event, self._producer.send(self._topic, key=event[0].encode(), value=self._header + event[1]))
            for event in batch
        ]
        self._producer.flush(_SEND_SECONDS)
        failed = [(event, future.exception) for event, future in sent if not future.succeeded()]
        left = [event for event, reason in failed if not isinstance(reason, _FOR_GOOD)]
        refused = [(event, reason) for event, reason in failed if isinstance(reason, _FOR_GOOD)]
        if refused:
            raise RefusedError(refused[0][1], [event for event, _ in refused], left)
        return left

    def close(self) -> None:
        if self._producer is not None:
            self._producer.close(timeout=1)
