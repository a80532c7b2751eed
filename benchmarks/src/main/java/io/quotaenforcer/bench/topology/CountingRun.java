package io.quotaenforcer.bench.topology;

import io.quotaenforcer.bench.process.EnforcerChild;
import io.quotaenforcer.bench.process.LoggedJvm;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.topics.NewPartitions;
import io.quotaenforcer.schemas.topic.Topics;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * One counter under one load: a broker in this process, which has all of the input before the
 * counter, a process of its own, starts.
 */
final class CountingRun {
  /** Compilers are mostly done, and stores have their rows. */
  private static final double WARM_UP = 0.5;

  private static final Duration LED_WITHIN = Duration.ofSeconds(10);
  private static final String PLAIN_TOPIC = "plain-events";

  private final TopologyScale scale;
  private final Consumer<String> progress;

  /**
   * @param progress hears what is being done
   */
  CountingRun(TopologyScale scale, Consumer<String> progress) {
    this.scale = scale;
    this.progress = progress;
  }

  CountingResult run(Counter counter, Load load) throws Exception {
    try (Site site = new Site()) {
      progress.accept("%s, %s: writing the input".formatted(counter, load));
      CountedInput input = counter == Counter.PLAIN ? plain(site, load) : ours(site, counter, load);
      progress.accept("%s, %s: counting".formatted(counter, load));
      CountingResult result =
          counter == Counter.PLAIN
              ? countPlain(site, load, input)
              : countOurs(site, counter, load, input);
      progress.accept(
          "%s, %s: %,.0f %s/s".formatted(counter, load, result.unitsPerSecond(), counter.unit()));
      return result;
    }
  }

  private CountedInput plain(Site site, Load load) throws Exception {
    List<NewTopic> topic =
        List.of(new NewTopic(PLAIN_TOPIC, Optional.of(TopologyScale.PARTITIONS), Optional.empty()));
    site.admin.createTopics(topic).all().get();
    NewPartitions.awaitLeaders(site.admin, topic, LED_WITHIN, System::nanoTime);
    try (Inputs inputs = new Inputs(site.wire, site.servers())) {
      inputs.plain(PLAIN_TOPIC, load, scale.keys(), scale.plainEvents());
    }
    return CountedInput.ofEvents(scale.plainEvents());
  }

  private CountedInput ours(Site site, Counter counter, Load load) throws IOException {
    Rule rule = CountedRule.publish(site.folder(), site.servers(), site.wire);
    try (Inputs inputs = new Inputs(site.wire, site.servers())) {
      if (counter == Counter.EVENTS) {
        inputs.requestEvents(load, scale.keys(), scale.requestEvents());
        return CountedInput.ofEvents(scale.requestEvents());
      }
      ReportingFleet fleet =
          new ReportingFleet(
              site.wire, rule, scale, load, Instant.now().toEpochMilli() * 1_000_000L);
      inputs.reports(fleet, scale.cellUpdates());
      return new CountedInput(fleet.reports(), fleet.updates(), fleet.permits());
    }
  }

  private CountingResult countPlain(Site site, Load load, CountedInput input) throws Exception {
    try (LoggedJvm jvm =
        LoggedJvm.start(
            "the plain count",
            site.folder().resolve("plain.txt"),
            PlainCountMain.class,
            TopologyScale.HEAP_MEBIBYTES,
            site.servers(),
            PLAIN_TOPIC,
            site.folder().resolve("plain").toString())) {
      GroupProgress group = new GroupProgress(site.admin, PlainCountMain.GROUP);
      DrainResult drain =
          new Drain(
                  (long) (WARM_UP * input.inputRecords()),
                  input.inputRecords(),
                  () -> group.committed(PLAIN_TOPIC),
                  () -> true)
              .by(jvm);
      return CountingResult.plain(load, input, drain);
    }
  }

  private CountingResult countOurs(Site site, Counter counter, Load load, CountedInput input)
      throws Exception {
    try (EnforcerChild enforcer = site.startEnforcer(scale.lease())) {
      GroupProgress group = site.progressOfEnforcer();
      boolean events = counter == Counter.EVENTS;
      Topics topics = site.wire.topics();
      String from = events ? topics.requestEvents().name() : topics.usage().name();
      String behind = topics.usageEvents().name();
      DrainResult drain =
          new Drain(
                  (long) (WARM_UP * input.inputRecords()),
                  input.inputRecords(),
                  () -> group.committed(from),
                  () ->
                      !events
                          || group.committed(behind) >= group.end(behind, TopologyScale.PARTITIONS))
              .by(enforcer.jvm());
      EnforcerMetricsPage metrics = new EnforcerMetricsPage(enforcer.httpAddress().orElseThrow());
      return new CountingResult(
          counter,
          load,
          input,
          drain,
          metrics.sum("quota_permits_used_total"),
          metrics.sum("quota_snapshots_lost_total"),
          events ? 1 : NewestAnswers.granting(site.wire, site.servers()));
    }
  }
}
