package io.quotaenforcer.lab.decider;

import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.client.internal.kafka.BackgroundLoops;
import io.quotaenforcer.client.internal.kafka.EnforcerListener;
import io.quotaenforcer.client.internal.kafka.KafkaLink;
import io.quotaenforcer.client.internal.kafka.KafkaPresence;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.lab.verdict.KeyEntry;
import io.quotaenforcer.lab.verdict.KeyTable;
import io.quotaenforcer.schemas.rules.RuleFeed;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.Map;

/** Decides from the delayed global count, over the same topics. */
public final class DelayedCountDecider implements Decider {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  private final DelayedCountBook book;
  private final BackgroundLoops loops;
  private final KeyTable keys;
  private final long epochOffsetNanos;

  private DelayedCountDecider(
      DelayedCountBook book, BackgroundLoops loops, KeyTable keys, long epochOffsetNanos) {
    this.book = book;
    this.loops = loops;
    this.keys = keys;
    this.epochOffsetNanos = epochOffsetNanos;
  }

  /**
   * Starts reporting and reading. Does not wait for Kafka.
   *
   * @param identity of the instance, not used before
   * @param keys keys of the decisions
   * @param epochOffsetNanos epoch time minus monotonic time
   */
  public static DelayedCountDecider start(
      String bootstrapServers,
      String domain,
      Identity identity,
      Wire wire,
      KeyTable keys,
      Clocks clocks,
      long epochOffsetNanos,
      ClientTelemetry telemetry) {
    DelayedCountBook book = new DelayedCountBook(epochOffsetNanos);
    Map<String, Object> servers = Map.of("bootstrap.servers", bootstrapServers);
    BackgroundLoops loops =
        new BackgroundLoops(
            new Instance(identity, clocks, telemetry),
            KafkaLink.of(
                wire,
                servers,
                Map.of(
                    "bootstrap.servers",
                    bootstrapServers,
                    "isolation.level",
                    "read_committed",
                    "enable.auto.commit",
                    false),
                KafkaPresence.of(servers)),
            book,
            new RuleFeed(domain::equals),
            EnforcerListener.NONE);
    loops.start();
    return new DelayedCountDecider(book, loops, keys, epochOffsetNanos);
  }

  @Override
  public void decide(int key, Request request, Recorder log) {
    KeyEntry entry = keys.entry(key);
    long now = System.nanoTime();
    boolean admitted = book.decide(entry.rule(), entry.quotaKey(), request.cost(), now);
    // Permits left by a count are treated as a grant.
    PermitSource source = admitted ? PermitSource.GRANTED : PermitSource.NONE;
    Limit limit = entry.limit();
    long window = limit.cellWindow(now + epochOffsetNanos);
    log.record(now, key, request.cost(), source, window);
  }

  @Override
  public boolean awaitRules(Duration timeout) throws InterruptedException {
    return loops.awaitRules(timeout);
  }

  @Override
  public void close() {
    loops.close(CLOSE_TIMEOUT);
  }
}
