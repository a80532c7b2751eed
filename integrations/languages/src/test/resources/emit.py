"""Emits events, of which each tenth comes again. Arguments: bootstrap servers, registry (or nothing), user, events."""

import sys
import time

from quota_enforcer.encoding import Registry
from quota_enforcer.events import RequestEventEmitter

servers, url, user, count = sys.argv[1:]
registry = Registry(url) if url else None
with RequestEventEmitter(servers, service="python", registry=registry) as events:
    with RequestEventEmitter(servers, service="python", registry=registry) as again:
        for i in range(int(count)):
            id = f"{user}-python-{i}"
            events.emit({"user": user}, id=id)
            if i % 10 == 0:
                events.emit({"user": user}, id=id)
                again.emit({"user": user}, id=id, time_micros=time.time_ns() // 1000 - 1000)
        events.emit({"user": user}, outcome="THROTTLED", cost=7)
print(f"acknowledged {events.acknowledged + again.acknowledged}, dropped {events.dropped + again.dropped}")
