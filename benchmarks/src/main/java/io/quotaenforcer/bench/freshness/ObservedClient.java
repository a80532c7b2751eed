package io.quotaenforcer.bench.freshness;

import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.client.internal.kafka.BackgroundLoops;
import io.quotaenforcer.client.internal.kafka.EnforcerListener;
import io.quotaenforcer.client.internal.kafka.KafkaLink;
import io.quotaenforcer.client.internal.kafka.KafkaPresence;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.InstanceBook;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.rules.RuleFeed;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Wire;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The book and the background threads of an admission client, with the settings of its Kafka
 * clients that matter for how long the loop takes, so that what they say and hear can be watched.
 */
final class ObservedClient implements AutoCloseable {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  private final Clocks clocks = Clocks.system();
  private final AllotmentBook book;
  private final BackgroundLoops loops;

  /** Is told on the client's background threads; must be quick. */
  interface Observer {

    /**
     * Reports were made, of what had been taken when the call began.
     *
     * @param now when it began
     */
    void composed(long now, Collection<PartitionReport> reports);

    /** An answer has been applied. */
    void applied(QuotaSnapshot answer);
  }

  /**
   * Starts a client. Does not wait for Kafka.
   *
   * @param maxInstances assumed until the topic of rules says how many there may be
   */
  ObservedClient(String servers, Wire wire, int maxInstances, String instance, Observer observer) {
    Map<String, Object> producer = Map.of("bootstrap.servers", servers, "linger.ms", 0);
    Map<String, Object> consumer =
        Map.of(
            "bootstrap.servers",
            servers,
            "enable.auto.commit",
            false,
            "auto.offset.reset",
            "latest",
            "isolation.level",
            "read_committed");
    long now = clocks.monotonicNanos().getAsLong();
    this.book =
        new AllotmentBook(
            BookSettings.defaults(), maxInstances, clocks.epochNanos().getAsLong() - now);
    this.loops =
        new BackgroundLoops(
            new Instance(
                new Identity(instance, new SecureRandom().nextLong()),
                clocks,
                ClientTelemetry.NONE),
            KafkaLink.of(wire, producer, consumer, KafkaPresence.of(consumer)),
            new ObservedBook(book, observer),
            new RuleFeed(domain -> true),
            new EnforcerListener() {
              @Override
              public void answered(QuotaSnapshot snapshot) {
                observer.applied(snapshot);
              }
            });
    loops.start();
  }

  /** Whether, within the timeout, every rule that was published before the start is in force. */
  boolean awaitRules(Duration timeout) throws InterruptedException {
    return loops.awaitRules(timeout);
  }

  boolean decide(Request request) {
    return book.decide(request, clocks.monotonicNanos().getAsLong()).admitted();
  }

  @Override
  public void close() {
    loops.close(CLOSE_TIMEOUT);
  }

  /** A book that tells an observer what it hands out as reports. */
  private record ObservedBook(InstanceBook book, Observer observer) implements InstanceBook {
    @Override
    public void applyRules(RuleSet newRules, long now) {
      book.applyRules(newRules, now);
    }

    @Override
    public boolean applyIncomplete(RuleSet readable, long now) {
      return book.applyIncomplete(readable, now);
    }

    @Override
    public void rulesHeard(long now) {
      book.rulesHeard(now);
    }

    @Override
    public void applyPrefix(PrefixInfo prefix, long now) {
      book.applyPrefix(prefix, now);
    }

    @Override
    public void applySnapshot(QuotaSnapshot snapshot, long receivedNanos) {
      book.applySnapshot(snapshot, receivedNanos);
    }

    @Override
    public void applyExhausted(QuotaKey key, ExhaustedQuota quota, long now) {
      book.applyExhausted(key, quota, now);
    }

    @Override
    public int partitions() {
      return book.partitions();
    }

    @Override
    public List<PartitionReport> reports(long now) {
      List<PartitionReport> reports = book.reports(now);
      observer.composed(now, reports);
      return reports;
    }

    @Override
    public boolean isQuiet() {
      return book.isQuiet();
    }

    @Override
    public void whenWoken(Runnable signal) {
      book.whenWoken(signal);
    }

    @Override
    public List<PartitionReport> close(long now) {
      return book.close(now);
    }

    @Override
    public boolean isSettled() {
      return book.isSettled();
    }
  }
}
