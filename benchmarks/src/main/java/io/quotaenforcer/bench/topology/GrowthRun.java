package io.quotaenforcer.bench.topology;

import io.quotaenforcer.bench.figures.Times;
import io.quotaenforcer.bench.process.EnforcerChild;
import io.quotaenforcer.bench.process.Jcmd;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.broker.TemporaryFolder;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.topology.LedgerUpdate;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.admin.Admin;

/** One size: a broker in this process, and an enforcer as a process of its own. */
final class GrowthRun {
  private final Wire wire =
      Wire.of(Topics.under("quota.", TopologyScale.PARTITIONS, Codecs.withoutRegistry()));
  private final Consumer<String> progress;

  /**
   * @param progress hears what is being done
   */
  GrowthRun(Consumer<String> progress) {
    this.progress = progress;
  }

  GrowthResult run(GrowthPoint point) throws Exception {
    progress.accept(
        "%,d keys, %d instances: writing the input".formatted(point.keys(), point.instances()));
    try (TemporaryFolder folder = TemporaryFolder.create("quota-bench-topology-");
        EmbeddedBroker broker = EmbeddedBroker.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      String servers = broker.bootstrapServers();
      Rule rule = CountedRule.publish(folder.path(), servers, wire);
      SimulatedReporters reporters =
          new SimulatedReporters(
              wire, point, rule.generation(), Instant.now().toEpochMilli() * 1_000_000L);
      long warm;
      long warmUpdates;
      try (Inputs inputs = new Inputs(wire, servers)) {
        inputs.reports(reporters::reportAll);
        inputs.reports(outlet -> reporters.reportAny(point.warmUp(), outlet));
        warm = reporters.records();
        warmUpdates = reporters.updates();
        inputs.reports(outlet -> reporters.reportAny(point.updates(), outlet));
      }
      progress.accept(
          "%,d keys, %d instances: counting".formatted(point.keys(), point.instances()));
      try (EnforcerChild enforcer =
          EnforcerChild.start(
              "enforcer",
              folder.path().resolve("enforcer"),
              servers,
              new EnforcerChild.Limits(
                  TopologyScale.HEAP_MEBIBYTES, TopologyScale.ROCKSDB_MEBIBYTES, 1))) {
        GroupProgress group = new GroupProgress(admin, "quota-enforcer");
        Jcmd jcmd = new Jcmd(enforcer.pid(), folder.path());
        // What a JVM does to begin a recording is not to be measured.
        jcmd.record(LedgerUpdate.NAME);
        Instant[] measuredFrom = {Instant.MIN};
        String usage = wire.topics().usage().name();
        DrainResult drain =
            new Drain(
                    warm,
                    reporters.records(),
                    () -> group.committed(usage),
                    () -> true,
                    new CountingProcesses(enforcer.jvm(), () -> measuredFrom[0] = Instant.now()))
                .run();
        Histogram updates = Times.of(jcmd.recorded(LedgerUpdate.NAME, measuredFrom[0]));
        InstanceMail mail = InstanceMail.ofFirst(wire, servers);
        double perRecord =
            (double) (reporters.updates() - warmUpdates) / (reporters.records() - warm);
        double requests = (double) reporters.updates() * TopologyScale.REQUESTS_PER_UPDATE;
        return new GrowthResult(
            point,
            DrainResult.micros(drain.application()) / drain.records() / perRecord,
            drain.perSecond() * perRecord,
            updates.getValueAtPercentile(50),
            updates.getValueAtPercentile(99),
            reporters.records() / requests,
            reporters.bytes() / requests,
            mail.addressed(),
            mail.fetchedBytes(),
            reporters.updatesOf(0) * TopologyScale.REQUESTS_PER_UPDATE,
            enforcer.peakMebibytes() - TopologyScale.HEAP_MEBIBYTES);
      }
    }
  }
}
