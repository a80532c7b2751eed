package io.quotaenforcer.bench.accuracy.instance;

import io.quotaenforcer.client.kafka.Identity;
import io.quotaenforcer.enforcer.decider.AllotmentDecider;
import io.quotaenforcer.enforcer.decider.Decider;
import io.quotaenforcer.enforcer.decider.DelayedCountDecider;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One instance: what it decides with is opened when a trial first needs it, and stays open. One
 * thread at a time.
 */
public final class Instance implements AutoCloseable {
  private static final Duration RULES_TIMEOUT = Duration.ofSeconds(30);

  private final Site site;
  private final String name;
  private final int index;
  private final TrueTime time;
  private final LoopLog loops = new LoopLog();
  private @Nullable Decider allotments;
  private @Nullable Decider delayedCount;

  /**
   * @param name not used by another instance
   * @param index in its fleet, which its part of the demand depends on
   */
  public Instance(Site site, String name, int index, TrueTime time) {
    this.site = site;
    this.name = name;
    this.index = index;
    this.time = time;
  }

  /** Opens what a policy needs, and returns when it is ready. */
  public void prepare(RealPolicy policy) throws InterruptedException {
    Decider decider =
        policy.isAllotment()
            ? allotments()
            : policy == RealPolicy.DELAYED_COUNT ? delayedCount() : null;
    if (decider != null && !decider.awaitRules(RULES_TIMEOUT)) {
      throw new IllegalStateException(name + " has no rules after " + RULES_TIMEOUT);
    }
  }

  /** Runs this instance's part of a trial in this thread. */
  public InstanceLog run(Trial trial, long startEpochNanos) throws InterruptedException {
    return switch (trial.policy()) {
      case ALLOTMENT_STRICT, ALLOTMENT_BALANCED -> run(trial, startEpochNanos, allotments());
      case DELAYED_COUNT -> run(trial, startEpochNanos, delayedCount());
      case STATIC_SPLIT ->
          run(trial, startEpochNanos, new StaticSplitDecider(trial, index, startEpochNanos, time));
      case CENTRAL_STORE -> {
        try (CentralStoreDecider store =
            new CentralStoreDecider(site.centralPort(), trial.scenario().limit(), time)) {
          yield run(trial, startEpochNanos, store);
        }
      }
    };
  }

  @Override
  public void close() {
    if (allotments != null) {
      allotments.close();
    }
    if (delayedCount != null) {
      delayedCount.close();
    }
  }

  private InstanceLog run(Trial trial, long startEpochNanos, Decider decider)
      throws InterruptedException {
    return new OpenLoop(trial, decider, site.key(trial), loops, time).run(index, startEpochNanos);
  }

  private Decider allotments() {
    if (allotments == null) {
      allotments =
          AllotmentDecider.start(site.bootstrapServers(), Trial.DOMAIN, name, time.clocks(), loops);
    }
    return allotments;
  }

  private Decider delayedCount() {
    if (delayedCount == null) {
      delayedCount =
          DelayedCountDecider.start(
              site.bootstrapServers(),
              Trial.DOMAIN,
              new Identity(name + "-counting", index + 1L),
              Wire.of(Topics.DEFAULT_PREFIX, Codecs.withoutRegistry()),
              site.keys(),
              time.clocks(),
              time.offsetNanos(),
              loops);
    }
    return delayedCount;
  }
}
