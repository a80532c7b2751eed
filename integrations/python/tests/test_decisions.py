"""The decision client, beside a gateway that answers what a test tells it."""

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from quota_enforcer.decisions import Decision, DecisionClient


class Gateway(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    answer = (200, {}, {"admitted": True})
    asked = []
    ports = set()
    hangs = threading.Event()
    ends = False

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((self.path, self.headers["Authorization"], body))
        self.ports.add(self.client_address)
        if self.hangs.is_set():
            self.close_connection = True
            return
        status, headers, answer = self.answer
        text = json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(text))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)
        self.close_connection = self.ends

    def log_message(self, *_):
        pass


class DecisionClientTest(unittest.TestCase):
    def setUp(self):
        Gateway.asked.clear()
        Gateway.ports.clear()
        Gateway.hangs.clear()
        Gateway.ends = False
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Gateway)
        self.server.handle_error = lambda *_: None
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        self.addCleanup(self.stop)

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def client(self, **options):
        client = DecisionClient(self.address, **{"timeout": 5, **options})
        self.addCleanup(client.close)
        return client

    def test_admitted_with_headers(self):
        Gateway.answer = (200, {"RateLimit": '"a";r=1;t=2', "Other": "x"}, {"admitted": True})
        decision = self.client(token="secret").decide({"user": "42"}, cost=2, max_wait=0.02)

        self.assertEqual(Decision(True, 200, {"ratelimit": '"a";r=1;t=2'}), decision)
        body = {"attributes": {"user": "42"}, "cost": 2, "maxWait": "20ms"}
        self.assertEqual([("/decide", "Bearer secret", body)], Gateway.asked)

    def test_attributes_are_enough(self):
        Gateway.answer = (200, {}, {"admitted": True})
        self.client().decide({"user": "42"})

        self.assertEqual([("/decide", None, {"attributes": {"user": "42"}, "cost": 1, "maxWait": "200ms"})], Gateway.asked)

    def test_refused_also_if_failures_admit(self):
        for status in (429, 403, 503):
            with self.subTest(status):
                headers = {"Content-Type": "application/problem+json", "Retry-After": "3"}
                Gateway.answer = (status, headers, {"title": "no"})

                expected = Decision(False, status, {"retry-after": "3"}, problem={"title": "no"})
                self.assertEqual(expected, self.client().decide({"user": "42"}))

    def test_other_answers_are_failures_decided_by_on_failure(self):
        for status in (401, 500):
            with self.subTest(status):
                Gateway.answer = (status, {"Content-Type": "application/json"}, {"error": "why"})
                admitted = self.client().decide({"user": "42"})
                refused = self.client(on_failure="refuse").decide({"user": "42"})

                self.assertTrue(admitted.admitted)
                self.assertRegex(admitted.failure, f"{status}.*why")
                self.assertEqual((False, 503), (refused.admitted, refused.status))

    def test_what_cannot_be_read_is_refused(self):
        for status in (400, 413, 414, 431):
            with self.subTest(status):
                Gateway.answer = (status, {"Content-Type": "application/json"}, {"error": "why"})
                decision = self.client().decide({"user": "42"})

                self.assertEqual((False, status), (decision.admitted, decision.status))
                self.assertRegex(decision.failure, "why")

    def test_a_negative_wait_is_none(self):
        Gateway.answer = (200, {}, {"admitted": True})
        self.assertIsNone(self.client().decide({"user": "42"}, max_wait=-0.5).failure)
        self.assertEqual("0ms", Gateway.asked[0][2]["maxWait"])

    def test_an_address_needs_a_scheme(self):
        for address in ("127.0.0.1:8090", "localhost:8090", "http://"):
            with self.subTest(address), self.assertRaisesRegex(ValueError, "http://127.0.0.1:8090"):
                DecisionClient(address)

    def test_no_answer_or_nobody_there_is_a_failure(self):
        Gateway.hangs.set()
        self.assertIsNotNone(self.client().decide({"user": "42"}).failure)
        nobody = DecisionClient("http://127.0.0.1:1", on_failure="refuse")
        self.assertFalse(nobody.decide({"user": "42"}).admitted)

    def test_no_answer_in_time_is_a_failure(self):
        release = threading.Event()
        self.addCleanup(release.set)
        Gateway.answer = _Late(release)

        self.assertRegex(self.client(timeout=0.05).decide({"user": "42"}, max_wait=0).failure, "timed out")

    def test_connections_are_used_again_also_by_threads(self):
        Gateway.answer = (200, {}, {"admitted": True})
        client = self.client()
        for _ in range(20):
            client.decide({"user": "42"})
        self.assertEqual(1, len(Gateway.ports))

        threads = [threading.Thread(target=lambda: [client.decide({"user": "1"}) for _ in range(20)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(100, len(Gateway.asked))
        self.assertLessEqual(len(Gateway.ports), 8)

    def test_connection_that_the_gateway_closed_is_replaced(self):
        Gateway.answer = (200, {}, {"admitted": True})
        Gateway.ends = True
        client = self.client(on_failure="refuse")

        for _ in range(20):
            self.assertIsNone(client.decide({"user": "42"}).failure)


class _Late(tuple):
    """An answer that waits until it is released."""

    def __new__(cls, release):
        answer = super().__new__(cls, (200, {}, {"admitted": True}))
        answer.release = release
        return answer

    def __iter__(self):
        self.release.wait(10)
        return super().__iter__()


if __name__ == "__main__":
    unittest.main()
