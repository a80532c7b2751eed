"""Asks gateways until a number of requests is admitted, and then some more. Arguments: user, permits, gateways."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

from quota_enforcer.decisions import DecisionClient

user, permits = sys.argv[1], int(sys.argv[2])
clients = [DecisionClient(gateway, timeout=5, on_failure="refuse") for gateway in sys.argv[3:]]
end = time.monotonic() + 40


def ask(i: int) -> "tuple[bool, int, str | None]":
    decision = clients[i % len(clients)].decide({"user": user})
    return decision.admitted, decision.status, decision.failure


with ThreadPoolExecutor(8) as threads:
    answers = []
    while sum(admitted for admitted, _, _ in answers) < permits and time.monotonic() < end:
        answers += threads.map(ask, range(16))
    answers += threads.map(ask, range(200))

failures = [failure for _, _, failure in answers if failure]
print(f"admitted {sum(admitted for admitted, _, _ in answers)}, failed {len(failures)} {failures[:1]}")
print(f"{time.monotonic() - end + 40:.1f} s, statuses", sorted({status for _, status, _ in answers}))
