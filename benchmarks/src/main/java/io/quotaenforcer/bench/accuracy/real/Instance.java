package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.bench.accuracy.scenario.PolicyKind;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.lab.decider.AllotmentDecider;
import io.quotaenforcer.lab.decider.Decider;
import io.quotaenforcer.lab.decider.DelayedCountDecider;
import io.quotaenforcer.lab.verdict.KeyTable;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;
import org.jspecify.annotations.Nullable;

/**
 * One instance: what it decides with is opened when a trial first needs it, and stays open. All of
 * its trials are decided in ways of one {@linkplain PolicyKind#shared() kind}. One thread at a
 * time.
 */
final class Instance implements AutoCloseable {
  private static final Duration RULES_TIMEOUT = Duration.ofSeconds(30);

  private final String servers;
  private final KeyTable keys;
  private final int index;
  private final TrueTime time;
  private final Histogram loops = new SynchronizedHistogram(3);
  private @Nullable Decider shared;

  /**
   * @param keys of all trials
   * @param index in its fleet, which its part of the demand depends on
   */
  Instance(String servers, KeyTable keys, int index, TrueTime time) {
    this.servers = servers;
    this.keys = keys;
    this.index = index;
    this.time = time;
  }

  /** Opens what a trial needs, and returns when it is ready. */
  void prepare(Trial trial) throws InterruptedException {
    if (!decider(trial, 0).awaitRules(RULES_TIMEOUT)) {
      throw new IllegalStateException(
          "instance %d has no rules after %s".formatted(index, RULES_TIMEOUT));
    }
  }

  /** Runs this instance's part of a trial in this thread. */
  InstanceLog run(Trial trial, long startEpochNanos) throws InterruptedException {
    int key = keys.of(trial.quotaKey()).id();
    return new OpenLoop(trial, decider(trial, startEpochNanos), key, loops, time)
        .run(index, startEpochNanos);
  }

  @Override
  public void close() {
    if (shared != null) {
      shared.close();
    }
  }

  private Decider decider(Trial trial, long startEpochNanos) {
    if (trial.policy() == PolicyKind.STATIC_SPLIT) {
      return new StaticSplitDecider(trial, index, startEpochNanos, time);
    }
    if (shared == null) {
      shared = trial.policy() == PolicyKind.DELAYED_COUNT ? delayedCount() : allotments();
    }
    return shared;
  }

  private Decider allotments() {
    return AllotmentDecider.start(
        servers, Trial.DOMAIN, "instance-" + index, time.clocks(), telemetry());
  }

  private Decider delayedCount() {
    return DelayedCountDecider.start(
        servers,
        Trial.DOMAIN,
        new Identity("counting-" + index, index + 1L),
        Wire.of(Topics.DEFAULT_PREFIX, Codecs.withoutRegistry()),
        keys,
        time.clocks(),
        time.offsetNanos(),
        telemetry());
  }

  private ClientTelemetry telemetry() {
    return new ClientTelemetry() {
      @Override
      public void answered(int partition, int quotas, long loopNanos) {
        loops.recordValue(loopNanos);
      }
    };
  }
}
