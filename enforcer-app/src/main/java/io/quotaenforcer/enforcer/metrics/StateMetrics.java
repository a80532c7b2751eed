package io.quotaenforcer.enforcer.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.AppInfoParser;

/** What an enforcer is, and how it is. Gauges are read on each scrape. */
public final class StateMetrics {
  static final Metric READY =
      Metric.gauge(
              "quota.ready",
              "0 or 1",
              List.of(),
              "1 while /health/ready answers 200: grants go out at all partitions of this enforcer."
                  + " Otherwise /health/ready says what is missing.")
          .alertWhen("0 for more than a minute");

  static final Metric HEALTH =
      Metric.gauge(
              "quota.health",
              "0 or 1",
              List.of("state"),
              "1 for the state that /health/ready says, 0 for the others: ready; starting, it will"
                  + " be ready by itself; failing, it tries again and again; failed, only a restart"
                  + " helps.")
          .alertWhen("failed is 1, or failing is 1 for 5 minutes");

  static final Metric PARTITIONS =
      Metric.gauge(
              "quota.partitions",
              "partitions",
              List.of("phase"),
              "Partitions of this enforcer by the phase of their takeover: restoring their stores;"
                  + " waiting for enforcer time; catching_up with reports that came meanwhile;"
                  + " granting.")
          .alertWhen("those that are not granting are more than 0 for 2 minutes");

  static final Metric TAKEOVERS =
      Metric.counter(
          "quota.takeovers",
          "partitions",
          List.of(),
          "Partitions whose ledger began its work here: at a start, and as partitions move.");

  static final Metric THREADS_FAILED =
      Metric.counter(
              "quota.threads.failed",
              "threads",
              List.of(),
              "Stream threads that failed; each is replaced, and the log has its exception.")
          .alertWhen("it grows for 10 minutes");

  static final Metric TASKS =
      Metric.gauge(
              "quota.tasks",
              "tasks",
              List.of("kind"),
              "Parts of the topology that this enforcer runs: active ones, which count and grant,"
                  + " and standby ones, which keep copies of stores.")
          .alertWhen(
              "the sum of standby over all enforcers is 0 for 15 minutes: a crash would be followed"
                  + " by a long restore");

  static final Metric DISK_FREE =
      Metric.gauge(
              "quota.state.disk.free",
              "bytes",
              List.of(),
              "What the file system of state.dir has left for this enforcer. Without room no store"
                  + " can be written.")
          .alertWhen("less than 15 % of quota.state.disk.size");

  static final Metric DISK_SIZE =
      Metric.gauge(
          "quota.state.disk.size", "bytes", List.of(), "Size of the file system of state.dir.");

  static final Metric BUILD =
      Metric.gauge(
              "quota.build.info",
              "1",
              List.of("java", "kafka", "version"),
              "Always 1; its tags are the versions of this enforcer, of its Kafka clients and of"
                  + " its JVM.")
          .alertWhen("there are several versions for more than a day: an upgrade was not finished");

  static final List<Metric> ALL =
      List.of(
          READY, HEALTH, PARTITIONS, TAKEOVERS, THREADS_FAILED, TASKS, DISK_FREE, DISK_SIZE, BUILD);

  private static final List<String> STATES = List.of("ready", "starting", "failing", "failed");

  private final MeterRegistry registry;
  private final Counter takeovers;
  private final Counter threadsFailed;

  StateMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.takeovers = TAKEOVERS.in(registry);
    this.threadsFailed = THREADS_FAILED.in(registry);
  }

  /**
   * Shows the versions of what runs.
   *
   * @param version of this program
   */
  public static void build(MeterRegistry registry, String version) {
    String java = String.valueOf(Runtime.version());
    BUILD.gaugeIn(registry, () -> 1, java, AppInfoParser.getVersion(), version);
  }

  /**
   * Shows what a file system has left.
   *
   * @param folder in it; need not exist yet
   */
  public static void disk(MeterRegistry registry, Path folder) {
    DISK_FREE.gaugeIn(registry, () -> existing(folder).getUsableSpace());
    DISK_SIZE.gaugeIn(registry, () -> existing(folder).getTotalSpace());
  }

  private static File existing(Path folder) {
    Path at = folder.toAbsolutePath();
    while (!Files.exists(at) && at.getParent() != null) {
      at = at.getParent();
    }
    return at.toFile();
  }

  /**
   * Shows the health.
   *
   * @param state ready, starting, failing or failed
   */
  public static void health(MeterRegistry registry, Supplier<String> state) {
    for (String each : STATES) {
      HEALTH.gaugeIn(registry, () -> state.get().equals(each) ? 1 : 0, each);
    }
  }

  /** Shows whether grants go out. */
  public void ready(BooleanSupplier isReady) {
    READY.gaugeIn(registry, () -> isReady.getAsBoolean() ? 1 : 0);
  }

  /** Shows the number of partitions in a phase of their takeover. */
  public void partitions(String phase, IntSupplier number) {
    PARTITIONS.gaugeIn(registry, number::getAsInt, phase);
  }

  /** Shows the numbers of tasks. */
  public void tasks(IntSupplier active, IntSupplier standby) {
    TASKS.gaugeIn(registry, active::getAsInt, "active");
    TASKS.gaugeIn(registry, standby::getAsInt, "standby");
  }

  /** The ledger of a partition begins its work here. */
  public void takenOver() {
    takeovers.increment();
  }

  public void threadFailed() {
    threadsFailed.increment();
  }
}
