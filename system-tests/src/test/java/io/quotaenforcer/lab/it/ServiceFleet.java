package io.quotaenforcer.lab.it;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.lab.process.ServiceJvms;
import io.quotaenforcer.lab.trace.TraceCheck;
import io.quotaenforcer.lab.trace.TraceCheck.RuleFigures;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Three services under {@link ServiceLoad}. */
final class ServiceFleet {
  static final List<String> NAMES = List.of("service-1", "service-2", "service-3");

  private static final Duration COUNTS_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration LOOK_TIMEOUT = Duration.ofSeconds(90);

  /** Far longer than a commit takes. */
  private static final Duration COMMITTED_WITHIN = Duration.ofSeconds(5);

  private ServiceFleet() {}

  /**
   * Starts them, and their load once all have the rules.
   *
   * @param folder gets one folder per service, with its trace and its loops
   */
  static ServiceJvms start(Path folder, String bootstrapServers) throws IOException {
    return ServiceJvms.start(folder, new Loaded(bootstrapServers), NAMES);
  }

  private record Loaded(String bootstrapServers) implements ServiceJvms.Program {
    @Override
    public Class<?> main() {
      return LoadService.class;
    }

    @Override
    public List<String> arguments(String name, Path own) {
      return List.of(bootstrapServers, name, own.toString(), Integer.toString(name.hashCode()));
    }
  }

  /** Their decisions about a rule, when they have stopped. */
  static ServiceTraces traces(Path folder, Rule rule) throws IOException {
    return ServiceTraces.join(folder, NAMES, rule.id().toString(), rule.limit().permits());
  }

  /** The enforcer's counts per rule, once they equal the admissions, or the time is up. */
  static List<Long> awaitCounts(EnforcerJvm enforcer, TraceCheck.Result result) {
    return new Counts().await(enforcer, result);
  }

  /**
   * What enforcers have counted, by window: each tells of the last hundred windows only, so that a
   * longer run looks in between, too.
   */
  static final class Counts {
    private final Map<QuotaKey, Map<String, Long>> told = new HashMap<>();

    /**
     * Adds what is told now, or as soon as all partitions are at an enforcer that tells, without
     * the newest windows: what has not been committed when the enforcer is killed, another counts
     * again, and for kinds without windows of their own in the window that it has then.
     */
    void look(EnforcerJvm enforcer) {
      Awaitility.await()
          .atMost(LOOK_TIMEOUT)
          .ignoreExceptions()
          .until(
              () -> {
                add(enforcer, Instant.now().minus(COMMITTED_WITHIN));
                return true;
              });
    }

    private void add(EnforcerJvm enforcer, Instant until) throws Exception {
      for (Rule rule : ServiceLoad.RULES) {
        for (QuotaKey key : ServiceLoad.keys(rule)) {
          Map<String, Long> windows = told.computeIfAbsent(key, absent -> new HashMap<>());
          enforcer
              .usedByWindow(key, rule.key().names().get(0))
              .forEach(
                  (start, used) -> {
                    if (Instant.parse(start).isBefore(until)) {
                      windows.put(start, used);
                    }
                  });
        }
      }
    }

    /** The counts per rule, once they equal the admissions, or the time is up. */
    List<Long> await(EnforcerJvm enforcer, TraceCheck.Result result) {
      List<Long> admitted = result.perRule().stream().map(RuleFigures::admittedPermits).toList();
      try {
        Awaitility.await()
            .atMost(COUNTS_TIMEOUT)
            .ignoreExceptions()
            .until(
                () -> {
                  add(enforcer, Instant.MAX);
                  return perRule().equals(admitted);
                });
      } catch (ConditionTimeoutException e) {
        // The assertion says how they differ.
      }
      return perRule();
    }

    private List<Long> perRule() {
      return ServiceLoad.RULES.stream()
          .map(
              rule ->
                  ServiceLoad.keys(rule).stream()
                      .flatMap(key -> told.getOrDefault(key, Map.of()).values().stream())
                      .mapToLong(Long::longValue)
                      .sum())
          .toList();
    }
  }
}
