package io.quotaenforcer.bench.topology;

import io.quotaenforcer.bench.figures.Times;
import io.quotaenforcer.bench.process.EnforcerChild;
import io.quotaenforcer.bench.process.Jcmd;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.broker.TemporaryFolder;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.topology.LedgerUpdate;
import java.time.Instant;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * One size: a broker in this process, and an enforcer as a process of its own.
 *
 * @param progress hears what is being done
 */
record GrowthRun(Consumer<String> progress) {

  /** What of the input warms the enforcer up. */
  private record WarmUp(long records, long updates) {}

  GrowthResult run(GrowthPoint point) throws Exception {
    progress.accept(
        "%,d keys, %d instances: writing the input".formatted(point.keys(), point.instances()));
    try (Site site = new Site()) {
      Rule rule = CountedRule.publish(site.folder(), site.servers(), site.wire);
      SimulatedReporters reporters =
          new SimulatedReporters(
              site.wire, point, rule.generation(), Instant.now().toEpochMilli() * 1_000_000L);
      WarmUp warmUp = write(site, point, reporters);
      progress.accept(
          "%,d keys, %d instances: counting".formatted(point.keys(), point.instances()));
      try (EnforcerChild enforcer = site.startEnforcer(TopologyScale.DEFAULT_LEASE)) {
        return measure(site, point, reporters, warmUp, enforcer);
      }
    }
  }

  private static WarmUp write(Site site, GrowthPoint point, SimulatedReporters reporters) {
    try (Inputs inputs = new Inputs(site.wire, site.servers())) {
      inputs.reports(reporters::reportAll);
      inputs.reports(outlet -> reporters.reportAny(point.warmUp(), outlet));
      WarmUp warmUp = new WarmUp(reporters.records(), reporters.updates());
      inputs.reports(outlet -> reporters.reportAny(point.updatesMeasured(), outlet));
      return warmUp;
    }
  }

  private static GrowthResult measure(
      Site site,
      GrowthPoint point,
      SimulatedReporters reporters,
      WarmUp warmUp,
      EnforcerChild enforcer)
      throws Exception {
    GroupProgress group = site.progressOfEnforcer();
    String usage = site.wire.topics().usage().name();
    Jcmd jcmd = new Jcmd(enforcer.jvm().pid(), site.folder());
    // What a JVM does to begin a recording is not to be measured.
    jcmd.record(LedgerUpdate.NAME);
    DrainResult drain =
        new Drain(warmUp.records, reporters.records(), () -> group.committed(usage), () -> true)
            .by(enforcer.jvm());
    Histogram updates = Times.of(jcmd.recorded(LedgerUpdate.NAME, drain.warm()));
    double perRecord =
        (double) (reporters.updates() - warmUp.updates) / (reporters.records() - warmUp.records);
    return new GrowthResult(
        point,
        drain.applicationMicrosPerRecord() / perRecord,
        drain.perSecond() * perRecord,
        Times.micros(updates, 50),
        Times.micros(updates, 99),
        sent(site, reporters),
        enforcer.jvm().peakMebibytes() - TopologyScale.HEAP_MEBIBYTES);
  }

  private static GrowthResult.Sent sent(Site site, SimulatedReporters reporters) {
    InstanceMail mail = InstanceMail.ofFirst(site.wire, site.servers());
    double requests = (double) reporters.updates() * TopologyScale.REQUESTS_PER_UPDATE;
    double ofFirst = (double) reporters.updatesOf(0) * TopologyScale.REQUESTS_PER_UPDATE;
    return new GrowthResult.Sent(
        reporters.records() / requests,
        reporters.bytes() / requests,
        mail.records() / ofFirst,
        mail.bytes() / ofFirst,
        mail.fetchedBytes() / ofFirst);
  }
}
