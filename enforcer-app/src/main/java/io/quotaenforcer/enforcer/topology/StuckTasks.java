package io.quotaenforcer.enforcer.topology;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.processor.TaskId;

/**
 * Tasks whose thread failed several times without a commit of its input in between, however slowly.
 * Safe for use by any number of threads.
 */
final class StuckTasks {
  static final int MANY = 3;

  /** A task without another failure within this time makes progress, or has moved elsewhere. */
  static final long FORGET_NANOS = 600_000_000_000L;

  private final LongSupplier clock;
  private final Map<TaskId, Failure> failures = new TreeMap<>();

  private record Failure(int times, long atNanos, Throwable cause) {}

  /**
   * @param clock monotonic nanoseconds
   */
  StuckTasks(LongSupplier clock) {
    this.clock = clock;
  }

  synchronized void failed(Collection<TaskId> tasks, Throwable cause) {
    long now = clock.getAsLong();
    forgetOld(now);
    for (TaskId task : tasks) {
      Failure known = failures.get(task);
      failures.put(task, new Failure(known == null ? 1 : known.times + 1, now, cause));
    }
  }

  synchronized void committed(Collection<TaskId> tasks) {
    if (!failures.isEmpty()) {
      failures.keySet().removeAll(tasks);
    }
  }

  /** A description of stuck tasks; empty if there are none. */
  synchronized Optional<String> many() {
    forgetOld(clock.getAsLong());
    return failures.entrySet().stream()
        .filter(each -> each.getValue().times >= MANY)
        .map(
            each ->
                "task %s failed %d times without getting on; the last by: %s"
                    .formatted(each.getKey(), each.getValue().times, each.getValue().cause))
        .findFirst();
  }

  private void forgetOld(long now) {
    failures.values().removeIf(failure -> now - failure.atNanos >= FORGET_NANOS);
  }
}
