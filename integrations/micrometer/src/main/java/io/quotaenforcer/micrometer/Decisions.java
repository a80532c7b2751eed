package io.quotaenforcer.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quotaenforcer.client.Passage;
import io.quotaenforcer.client.QuotaHandle;
import io.quotaenforcer.client.ReserveOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.HeldSlots;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Meters of decisions: one of each rule and result, looked up once. Safe for any thread. */
final class Decisions {
  /** One decision in this many is measured. */
  static final int SAMPLED = 256;

  /** Rules come and go, and meters are never given back: beyond it, rules are counted together. */
  private static final int MOST_COUNTERS = 2_000;

  private static final String NO_RULE = "";
  private static final String OTHERS = "others";

  private final MeterRegistry registry;
  private final Supplier<RuleSet> rules;
  private final Map<RuleId, Counter> admitted = new ConcurrentHashMap<>();
  private final Map<OfClass, Counter> admittedOfClass = new ConcurrentHashMap<>();
  private final Map<Refusal, Counter> refused = new ConcurrentHashMap<>();
  private final Counter unmatched;
  private final Counter notReady;
  private final Counter yes;
  private final Counter no;
  private final Timer duration;

  /** A rule, and one of its classes of requests. */
  private record OfClass(RuleId rule, String demandClass) {}

  private record Refusal(OfClass of, ThrottleReason reason) {}

  /**
   * @param rules that are in force
   */
  Decisions(MeterRegistry registry, Supplier<RuleSet> rules) {
    this.registry = registry;
    this.rules = rules;
    this.unmatched = counter(NO_RULE, "unmatched");
    this.notReady = counter(NO_RULE, "not_ready");
    this.yes = counter(NO_RULE, "admitted");
    this.no = counter(NO_RULE, "throttled");
    this.duration = Timer.builder("rate_limiting.decision.duration").register(registry);
  }

  boolean isSampled() {
    return ThreadLocalRandom.current().nextInt(SAMPLED) == 0;
  }

  void took(long nanos) {
    duration.record(nanos, TimeUnit.NANOSECONDS);
  }

  void waited(Decision decision, long nanos) {
    Timer.builder("rate_limiting.request.time_in_queue")
        .tag("result", decision.admitted() ? "admitted" : "throttled")
        .register(registry)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  Decision count(Decision decision) {
    if (decision instanceof Decision.Throttled throttled) {
      RuleDecision by = throttled.decidedBy();
      refused(new OfClass(by.quotaKey().rule(), by.demandClass()), throttled.reason());
    } else if (decision instanceof Decision.Unmatched) {
      unmatched.increment();
    } else if (decision instanceof Decision.NotReady) {
      notReady.increment();
    } else {
      List<RuleId> ids = decision.ruleIds();
      for (int i = 0; i < ids.size(); i++) {
        RuleId id = ids.get(i);
        Counter counter =
            hasClasses(id)
                ? admitted(new OfClass(id, decision.rules().get(i).demandClass()))
                : admitted(id);
        counter.increment();
      }
    }
    return decision;
  }

  private boolean hasClasses(RuleId id) {
    return rules.get().rule(id).filter(rule -> !rule.classes().isEmpty()).isPresent();
  }

  private Counter admitted(OfClass of) {
    Counter known = admittedOfClass.get(of);
    return known == null
        ? admittedOfClass.computeIfAbsent(
            of, each -> counter(name(of.rule), of.demandClass, "admitted"))
        : known;
  }

  boolean count(boolean isAdmitted) {
    (isAdmitted ? yes : no).increment();
    return isAdmitted;
  }

  private Counter admitted(RuleId rule) {
    Counter known = admitted.get(rule);
    return known == null
        ? admitted.computeIfAbsent(rule, id -> counter(name(id), "admitted"))
        : known;
  }

  private void refused(OfClass of, ThrottleReason reason) {
    Refusal refusal = new Refusal(of, reason);
    Counter known = refused.get(refusal);
    if (known == null) {
      String result = reason.name().toLowerCase(Locale.ROOT);
      known =
          refused.computeIfAbsent(refusal, each -> counter(name(of.rule), of.demandClass, result));
    }
    known.increment();
  }

  private String name(RuleId rule) {
    int counters = admitted.size() + admittedOfClass.size() + refused.size();
    return counters < MOST_COUNTERS ? rule.toString() : OTHERS;
  }

  private Counter counter(String rule, String result) {
    return counter(rule, "", result);
  }

  private Counter counter(String rule, String demandClass, String result) {
    return Counter.builder("rate_limiting.requests")
        .tag("policy", rule)
        .tag("class", demandClass)
        .tag("result", result)
        .register(registry);
  }

  /**
   * Counts a decision once it is made.
   *
   * @param begunNanos when it was asked for
   * @return the same future
   */
  CompletableFuture<Decision> count(CompletableFuture<Decision> future, long begunNanos) {
    boolean waits = !future.isDone();
    future.thenAccept(
        decision -> {
          if (waits) {
            waited(decision, System.nanoTime() - begunNanos);
          }
          count(decision);
        });
    return future;
  }

  /** The same handle, whose decisions count. No method is left at its default. */
  QuotaHandle counted(QuotaHandle handle) {
    return new QuotaHandle() {
      @Override
      public QuotaHandle ofClass(String demandClass) {
        return counted(handle.ofClass(demandClass));
      }

      @Override
      public boolean tryAcquire(long permits) {
        return count(handle.tryAcquire(permits));
      }

      @Override
      public boolean tryAcquire() {
        return count(handle.tryAcquire());
      }

      @Override
      public Decision decide(long permits) {
        return count(handle.decide(permits));
      }

      @Override
      public Decision decide() {
        return count(handle.decide());
      }

      @Override
      public CompletableFuture<Decision> decideAsync(long permits, Duration maxWait) {
        long begun = System.nanoTime();
        return count(handle.decideAsync(permits, maxWait), begun);
      }

      @Override
      public CompletableFuture<ReserveOutcome> reserveAsync(long permits, Duration maxWait) {
        long begun = System.nanoTime();
        CompletableFuture<ReserveOutcome> future = handle.reserveAsync(permits, maxWait);
        count(future.thenApply(ReserveOutcome::decision), begun);
        return future;
      }

      @Override
      public CompletableFuture<Passage> enterAsync(long slots, Duration maxWait) {
        long begun = System.nanoTime();
        CompletableFuture<Passage> future = handle.enterAsync(slots, maxWait);
        count(future.thenApply(Passage::decision), begun);
        return future;
      }

      @Override
      public @Nullable HeldSlots tryEnter(long slots) {
        HeldSlots held = handle.tryEnter(slots);
        count(held != null);
        return held;
      }

      @Override
      public void leave(HeldSlots held, long slots) {
        handle.leave(held, slots);
      }

      @Override
      public void charge(long permits) {
        handle.charge(permits);
      }

      @Override
      public RuleId rule() {
        return handle.rule();
      }

      @Override
      public Optional<QuotaKey> quotaKey() {
        return handle.quotaKey();
      }
    };
  }
}
