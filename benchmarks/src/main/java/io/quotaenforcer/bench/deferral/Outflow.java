package io.quotaenforcer.bench.deferral;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.Replay;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** When the requests of some rules were released. Thread-safe. */
final class Outflow {
  private final Map<RuleId, List<Long>> paidNanos = new HashMap<>();

  synchronized void released(Replay replay) {
    paidNanos
        .computeIfAbsent(replay.quotaKey().rule(), rule -> new ArrayList<>())
        .add(replay.paidNanos());
  }

  synchronized int count(RuleId rule) {
    return paidNanos.getOrDefault(rule, List.of()).size();
  }

  synchronized OutflowShape shape(RuleId rule, int rate, int seconds) {
    long[] nanos =
        paidNanos.getOrDefault(rule, List.of()).stream().mapToLong(Long::longValue).toArray();
    return OutflowShape.of(nanos, rate, seconds);
  }
}
