package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.trace.TraceCheck;
import io.quotaenforcer.lab.trace.TraceCheck.RuleFigures;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionTimeoutException;

/** Three services under {@link ServiceLoad}, each a process of its own; killed when closed. */
final class ServiceFleet implements AutoCloseable {
  static final List<String> NAMES = List.of("service-1", "service-2", "service-3");

  private static final Duration START_TIMEOUT = Duration.ofSeconds(40);
  private static final Duration SECONDS_TIMEOUT = Duration.ofSeconds(40);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration COUNTS_TIMEOUT = Duration.ofSeconds(10);

  private final Path folder;
  private final List<ChildJvm> services = new ArrayList<>();

  private ServiceFleet(Path folder) {
    this.folder = folder;
  }

  /**
   * Starts them, and their load once all have the rules.
   *
   * @param folder gets one folder per service, with its trace and its loops
   */
  static ServiceFleet start(Path folder, String bootstrapServers) throws IOException {
    ServiceFleet fleet = new ServiceFleet(folder);
    try {
      for (String name : NAMES) {
        Path own = folder.resolve(name);
        fleet.services.add(
            ChildJvm.start(
                name,
                own.resolve("tmp"),
                LoadService.class,
                bootstrapServers,
                name,
                own.toString(),
                Integer.toString(name.hashCode())));
      }
      for (ChildJvm service : fleet.services) {
        service.awaitLine("ready", START_TIMEOUT);
      }
      for (ChildJvm service : fleet.services) {
        service.send("start");
      }
      return fleet;
    } catch (Throwable e) {
      fleet.close();
      throw e;
    }
  }

  ChildJvm service(int index) {
    return services.get(index);
  }

  /** Waits for a second of the load of the first service, which nobody stops. */
  void awaitSecond(int second) {
    services.get(0).awaitLine("second " + second, SECONDS_TIMEOUT);
  }

  /** Seconds of load that the first service has had. */
  int second() {
    return (int) services.get(0).out().stream().filter(line -> line.startsWith("second ")).count();
  }

  /** Waits until the load has gone on for so many seconds more. */
  void awaitSeconds(int seconds) {
    awaitSecond(second() + seconds);
  }

  /** Ends the load, and waits until all have given back what they held. */
  void stop() throws IOException, InterruptedException {
    for (ChildJvm service : services) {
      service.send("stop");
    }
    for (ChildJvm service : services) {
      assertThat(service.exitCode(STOP_TIMEOUT)).isZero();
    }
  }

  /** Their decisions about a rule; after {@link #stop}. */
  ServiceTraces traces(Rule rule) throws IOException {
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

  @Override
  public void close() {
    services.forEach(ChildJvm::close);
  }
}
