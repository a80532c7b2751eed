package io.quotaenforcer.enforcer.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.util.List;

/** The JVM and its process, as Micrometer measures them under its usual names. */
public final class JvmMetrics implements AutoCloseable {
  /** Those to look at, by their names on the wire; their binders register some more. */
  public static final List<Metric> ALL =
      List.of(
          Metric.gauge(
                  "jvm.memory.used",
                  "bytes",
                  List.of("area", "id"),
                  "Memory in use, by area (heap, nonheap) and pool. RocksDB's is outside of it, and"
                      + " bounded by rocksdb.memory.mb.")
              .alertWhen("the heap is above 90 % of jvm.memory.max for 10 minutes"),
          Metric.gauge(
              "jvm.memory.max",
              "bytes",
              List.of("area", "id"),
              "Most memory that each pool may have; -1 where it has no bound of its own."),
          Metric.timer(
                  "jvm.gc.pause",
                  List.of("action", "cause", "gc"),
                  "Pauses of garbage collection: nothing is granted meanwhile.")
              .alertWhen("more than 10 % of the time"),
          Metric.gauge(
              "jvm.threads.live.threads",
              "threads",
              List.of(),
              "Threads of the JVM, daemons included."),
          Metric.gauge(
                  "process.cpu.usage",
                  "0 to 1",
                  List.of(),
                  "Part of all processors that this process uses.")
              .alertWhen("above 0.8 for 15 minutes: start another enforcer"),
          Metric.gauge(
              "system.cpu.usage",
              "0 to 1",
              List.of(),
              "Part of all processors that the machine uses."),
          Metric.gauge("process.uptime", "seconds", List.of(), "Time since the JVM started."),
          Metric.gauge(
                  "process.files.open.files",
                  "files",
                  List.of(),
                  "Files and sockets that the process has open.")
              .alertWhen("above 80 % of process.files.max.files"),
          Metric.gauge(
              "process.files.max.files", "files", List.of(), "As many as it may have open."));

  private final JvmGcMetrics collections = new JvmGcMetrics();

  private JvmMetrics() {}

  /** Shows them until this is closed. */
  public static JvmMetrics in(MeterRegistry registry) {
    JvmMetrics metrics = new JvmMetrics();
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    metrics.collections.bindTo(registry);
    return metrics;
  }

  @Override
  public void close() {
    collections.close();
  }
}
