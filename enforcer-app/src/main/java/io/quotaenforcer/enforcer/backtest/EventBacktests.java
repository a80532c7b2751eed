package io.quotaenforcer.enforcer.backtest;

import io.quotaenforcer.core.backtest.Backtest;
import io.quotaenforcer.core.backtest.BacktestBounds;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.schemas.topic.Wire;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * Back-tests on the request events topic in a process that has other work: one at a time, on a
 * thread and a consumer of its own, which rests as long as it works, within bounds of events, time
 * and memory.
 */
public final class EventBacktests {
  /** How much of the topic one may read, and how long it may take. */
  public record Bounds(long events, Duration time) {
    public static final Bounds DEFAULTS = new Bounds(1_000_000, Duration.ofSeconds(20));
  }

  /** A tenth of what the command line has: some 100 MB at most. */
  private static final BacktestBounds MEMORY =
      new BacktestBounds(50_000, 20_000, 20_000, 60_000_000_000L);

  private static final int TOP_KEYS = 20;

  private final EventSource source;
  private final Wire wire;
  private final Bounds bounds;
  private final HashKeys hashKeys = HashKeys.ofProcess(new SecureRandom());
  private final Semaphore turn = new Semaphore(1);

  /**
   * Rules to run.
   *
   * @param against those that they are compared with; empty for none
   */
  public record Question(
      Collection<Rule> rules, Collection<Rule> against, Instant from, Instant now) {
    public Question {
      rules = List.copyOf(rules);
      against = List.copyOf(against);
    }
  }

  /** Whoever waits for a back-test. Called on its thread, after every event. */
  public interface Audience {
    /** Whether it still waits. */
    boolean waits();

    /**
     * Hears how far it is.
     *
     * @param share of the span, from 0 to 1
     */
    void hears(long events, double share);
  }

  EventBacktests(EventSource source, Wire wire, Bounds bounds) {
    this.source = source;
    this.wire = wire;
    this.bounds = bounds;
  }

  /** On the topic of a prefix. */
  public static EventBacktests inKafka(KafkaConnection connection, Wire wire) {
    return new EventBacktests(
        EventSource.topic(connection, wire.topics().requestEvents().name()), wire, Bounds.DEFAULTS);
  }

  public Bounds bounds() {
    return bounds;
  }

  /**
   * Begins one; empty while another runs. It fails with a {@link
   * io.quotaenforcer.enforcer.topics.BrokersException} when the brokers do not answer.
   *
   * @throws IllegalArgumentException if a rule cannot be run on events
   */
  public Optional<CompletableFuture<EventsReport>> begin(Question question, Audience audience) {
    Backtest backtest =
        new Backtest(
            question.rules(),
            question.against().isEmpty() ? Optional.empty() : Optional.of(question.against()),
            MEMORY,
            hashKeys);
    if (!turn.tryAcquire()) {
      return Optional.empty();
    }
    CompletableFuture<EventsReport> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                EventsReport report = run(question, backtest, audience);
                turn.release();
                done.complete(report);
              } catch (RuntimeException | Error e) {
                turn.release();
                done.completeExceptionally(e);
              }
            },
            "quota-backtest");
    thread.setDaemon(true);
    thread.setPriority(Thread.MIN_PRIORITY);
    thread.start();
    return Optional.of(done);
  }

  private EventsReport run(Question question, Backtest backtest, Audience audience) {
    Happened happened = new Happened(question.rules(), hashKeys);
    BoundedRun run =
        new BoundedRun(question, bounds, audience, System::nanoTime, LockSupport::parkNanos);
    EventRequests events =
        new EventRequests(
            wire,
            question.from(),
            question.now(),
            backtest,
            event -> {
              happened.add(event);
              run.heard(event.timeMicros());
            });
    source.read(
        question.from().toEpochMilli(),
        events::timeMillis,
        record -> {
          events.accept(record);
          run.read();
        },
        run::goesOn);
    BacktestReport report = BacktestReport.of(events.input(), backtest.end(TOP_KEYS));
    return new EventsReport(report, happened, run.seen());
  }
}
