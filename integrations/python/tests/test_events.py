"""The emitter, without Kafka."""

import json
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from kafka.errors import KafkaError, KafkaTimeoutError, MessageSizeTooLargeError
from kafka.future import Future

from quota_enforcer.encoding import Registry, RegistryError, decode, encode, header_for
from quota_enforcer.events import RefusedError, RequestEventEmitter, _KafkaSender

TOPIC = "quota.request-events"
SUBJECT = f"{TOPIC}-io.quotaenforcer.schemas.RequestEvent"
PUBLISHED = Path(__file__).parents[3] / "schemas" / "published" / "fingerprints.txt"


class Recording:
    """Keeps what it is told to send; fails while ``away`` is set, leaves out what is ``lost``, and never takes what is
    ``refused``.
    """

    def __init__(self):
        self.events = []
        self.away = threading.Event()
        self.tried = threading.Event()
        self.lost = set()
        self.refused = set()

    def send(self, batch):
        self.tried.set()
        if self.away.is_set():
            raise KafkaError("away")
        left = [(id, body) for id, body in batch if id in self.lost]
        refused = [(id, body) for id, body in batch if id in self.refused]
        self.events += [decode(body) for id, body in batch if id not in self.lost | self.refused]
        self.lost.clear()
        if refused:
            raise RefusedError("too large", refused, left)
        return left

    def close(self):
        pass


class Producer:
    """Writes nothing; records fail as they are told to, by their keys."""

    def __init__(self, failures):
        self.failures = failures

    def send(self, topic, key, value):
        failure = self.failures.get(key.decode())
        return Future().failure(failure) if failure else Future().success(None)

    def flush(self, timeout):
        pass


class Answers(BaseHTTPRequestHandler):
    """A registry that gives the id 258, but not to those who only look up."""

    asked = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((self.path, json.loads(body["schema"])["name"], self.headers["Authorization"]))
        known = self.path.endswith("/versions")
        self.send_response(200 if known else 404)
        self.end_headers()
        self.wfile.write(json.dumps({"id": 258} if known else {"message": "not found"}).encode())

    def log_message(self, *_):
        pass


class EncodingTest(unittest.TestCase):
    def test_header_without_a_registry_is_that_of_the_published_schema(self):
        line = next(line for line in PUBLISHED.read_text().splitlines() if line.startswith("RequestEvent "))
        _, _, first_bytes, subject = line.split(" ")

        self.assertEqual(first_bytes, header_for(TOPIC, None).hex())
        self.assertEqual(SUBJECT, subject)

    def test_header_with_a_registry_has_the_id_that_it_gave(self):
        server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        try:
            header = header_for(TOPIC, Registry(url, headers={"Authorization": "Basic x"}))
            with self.assertRaisesRegex(RegistryError, f"{SUBJECT}: HTTP 404.*not found"):
                header_for(TOPIC, Registry(url, auto_register=False))
        finally:
            server.shutdown()
            server.server_close()
        with self.assertRaises(RegistryError):
            header_for(TOPIC, Registry(url))

        self.assertEqual("0000000102", header.hex())
        self.assertEqual((f"/subjects/{SUBJECT}/versions", "RequestEvent", "Basic x"), Answers.asked[0])
        self.assertEqual(f"/subjects/{SUBJECT}", Answers.asked[1][0])

    def test_bytes_are_the_avro_binary_of_the_fields_in_their_order(self):
        event = {
            "id": "a-1",
            "attributes": {"k": "v"},
            "cost": 1,
            "timeMicros": 2,
            "outcome": "DEFERRED",
            "countedBy": "ENFORCER",
            "service": "",
        }

        self.assertEqual("06612d31" "02" "026b" "0276" "00" "02" "04" "04" "02" "00", encode(event).hex())


class EmitterTest(unittest.TestCase):
    def setUp(self):
        self.kafka = Recording()

    def emitter(self, **options):
        emitter = RequestEventEmitter(service="web", sender=self.kafka, **options)
        self.addCleanup(emitter.close)
        return emitter

    def test_event_has_the_fields_of_the_schema_in_its_units(self):
        before = time.time_ns() // 1000
        with self.emitter() as emitter:
            emitter.emit({"user": "42"})
            emitter.emit({"user": "ß"}, cost=10**12, outcome="THROTTLED", id="mine", time_micros=1500)

        first, second = self.kafka.events
        self.assertRegex(first["id"], r"^[0-9a-f]{16}-1$")
        self.assertTrue(before <= first["timeMicros"] <= time.time_ns() // 1000)
        self.assertEqual(
            {"attributes": {"user": "42"}, "cost": 1, "outcome": "ADMITTED", "countedBy": "ENFORCER", "service": "web"},
            {name: value for name, value in first.items() if name not in ("id", "timeMicros")},
        )
        self.assertEqual(
            ("mine", {"user": "ß"}, 10**12, 1500, "THROTTLED"),
            tuple(second[name] for name in ("id", "attributes", "cost", "timeMicros", "outcome")),
        )

    def test_kafka_away_events_wait_with_their_ids_and_are_sent_once_it_is_back(self):
        self.kafka.away.set()
        with self.assertLogs("quota_enforcer.events", "WARNING") as logs, self.emitter() as emitter:
            emitter.emit({"user": "1"})
            emitter.emit({"user": "2"})
            self.assertTrue(self.kafka.tried.wait(10))
            self.assertEqual(0, emitter.acknowledged)
            self.kafka.away.clear()

        self.assertEqual(["1", "2"], [event["attributes"]["user"] for event in self.kafka.events])
        self.assertEqual(2, emitter.acknowledged)
        self.assertEqual(1, len(logs.records))

    def test_what_was_not_acknowledged_is_sent_again(self):
        self.kafka.lost.add("b")
        with self.assertLogs("quota_enforcer.events", "WARNING"), self.emitter() as emitter:
            for id in ("a", "b", "c"):
                emitter.emit({"user": "1"}, id=id)

        self.assertEqual(["a", "b", "c"], sorted(event["id"] for event in self.kafka.events))
        self.assertEqual(3, emitter.acknowledged)

    def test_what_kafka_never_takes_is_dropped_and_counted_and_the_others_are_sent(self):
        self.kafka.refused.add("b")
        self.kafka.lost.add("c")
        with self.assertLogs("quota_enforcer.events", "WARNING") as logs, self.emitter() as emitter:
            for id in ("a", "b", "c", "d"):
                emitter.emit({"user": "1"}, id=id)

        self.assertEqual(["a", "c", "d"], sorted(event["id"] for event in self.kafka.events))
        self.assertEqual((3, 1), (emitter.acknowledged, emitter.dropped))
        self.assertRegex("\n".join(logs.output), "dropped 1 request events that Kafka does not take: too large")

    def test_record_that_is_too_large_is_told_from_one_that_was_not_acknowledged(self):
        sender = _KafkaSender(TOPIC, None, {})
        sender._producer = Producer({"large": MessageSizeTooLargeError("2 MiB"), "late": KafkaTimeoutError("late")})

        with self.assertRaisesRegex(RefusedError, "2 MiB") as raised:
            sender.send([("sent", b"1"), ("large", b"2"), ("late", b"3")])
        self.assertEqual([("large", b"2")], raised.exception.refused)
        self.assertEqual([("late", b"3")], raised.exception.left)
        self.assertEqual([("late", b"3")], sender.send([("sent", b"1"), ("late", b"3")]))

    def test_no_room_an_event_is_dropped_and_counted(self):
        self.kafka.away.set()
        with self.assertLogs("quota_enforcer.events", "WARNING"):
            emitter = self.emitter(capacity=1)
            emitter.emit({"user": "1"})
            self.assertTrue(self.kafka.tried.wait(10))
            self.assertTrue(emitter.emit({"user": "2"}))
            self.assertFalse(emitter.emit({"user": "3"}))
            emitter.close(timeout=0)

        self.assertFalse(emitter.emit({"user": "4"}))
        self.assertEqual(4, emitter.dropped)
        self.assertEqual([], self.kafka.events)

    def test_what_the_enforcer_would_refuse_is_refused_here(self):
        emitter = self.emitter()
        for details in ({"cost": 0}, {"cost": 10**12 + 1}, {"outcome": "no"}, {"id": ""}, {"id": "x" * 201}):
            with self.subTest(details), self.assertRaises(ValueError):
                emitter.emit({"user": "1"}, **details)
        with self.assertRaisesRegex(ValueError, "must have at most 900000 bytes: event has 900[0-9]{3}$"):
            emitter.emit({"user": "x" * 900_000})
        for attributes, cost in (({"user": 1}, 1), ({"user": "1"}, 1.5)):
            with self.subTest(attributes), self.assertRaisesRegex(Exception, "datum"):
                emitter.emit(attributes, cost=cost)


if __name__ == "__main__":
    unittest.main()
