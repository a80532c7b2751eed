package io.quotaenforcer.lab.it;

import static org.awaitility.Awaitility.await;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.lab.process.ServiceJvms;
import io.quotaenforcer.lab.trace.TraceCheck;
import io.quotaenforcer.lab.trace.TraceCheck.RuleFigures;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionTimeoutException;

/** Three services under {@link ServiceLoad}. */
final class ServiceFleet {
  static final List<String> NAMES = List.of("service-1", "service-2", "service-3");

  private static final Duration COUNTS_TIMEOUT = Duration.ofSeconds(10);

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
  static List<Long> awaitCounts(EnforcerJvm enforcer, TraceCheck.Result result) throws Exception {
    List<Long> admitted = result.perRule().stream().map(RuleFigures::admittedPermits).toList();
    try {
      await()
          .atMost(COUNTS_TIMEOUT)
          .ignoreExceptions()
          .until(() -> counts(enforcer).equals(admitted));
    } catch (ConditionTimeoutException e) {
      // The assertion says how they differ.
    }
    return counts(enforcer);
  }

  private static List<Long> counts(EnforcerJvm enforcer) throws Exception {
    List<Long> counts = new ArrayList<>();
    for (Rule rule : ServiceLoad.RULES) {
      long used = 0;
      for (QuotaKey key : ServiceLoad.keys(rule)) {
        used += enforcer.used(key, rule.key().names().get(0));
      }
      counts.add(used);
    }
    return counts;
  }
}
