package io.quotaenforcer.bench.decision.timed;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.QuotaHandle;
import io.quotaenforcer.client.RequestEventEmitter;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.Rule;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * This library with all its threads, beside a broker and an enforcer in another process. Their
 * address is the system property {@value #SERVERS}.
 */
public class LiveBenchmark {
  public static final String SERVERS = "quota.bench.servers";

  public static final String CONFIGURATION =
      "QuotaHandle.tryAcquire() of a started client, sliding window of 1 s, permits granted as they"
          + " are used up by an enforcer of this machine, whose other work is in the figures;"
          + " RequestEventEmitter.emit while events are written to that broker, in batches of "
          + NewUsers.BATCH
          + " that fit into its queue";

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long PAUSE_NANOS = 20_000_000L;

  /** The permits of one rule. */
  private abstract static class OneKey {
    final AdmissionClient client =
        AdmissionClient.builder()
            .bootstrapServers(System.getProperty(SERVERS))
            .domains(BenchRules.DOMAIN)
            .build();
    final QuotaHandle handle;

    OneKey(Rule rule) {
      await(() -> client.rules().rule(rule.id()).isPresent());
      handle = client.handle(rule.id().toString());
      await(handle::tryAcquire);
    }

    @TearDown
    public void close() {
      client.close();
    }
  }

  @State(Scope.Benchmark)
  public static class Balanced extends OneKey {
    public Balanced() {
      super(BenchRules.BALANCED);
    }
  }

  @State(Scope.Benchmark)
  public static class Strict extends OneKey {
    public Strict() {
      super(BenchRules.STRICT);
    }
  }

  /** An emitter whose queue is empty at first. */
  @State(Scope.Benchmark)
  public static class Events {
    final Request request = Request.of("user", "user-0000042", "api", "POST /posts");
    final RequestEventEmitter emitter =
        RequestEventEmitter.create(
            Map.of(
                "bootstrap.servers",
                System.getProperty(SERVERS),
                "request.events.capacity",
                4 * NewUsers.BATCH));
    private long emitted;

    @TearDown(Level.Iteration)
    public void drain(BenchmarkParams parameters) {
      emitted += (long) NewUsers.BATCH * parameters.getThreads();
      await(() -> emitter.acknowledged() + emitter.dropped() >= emitted);
    }

    @TearDown
    public void close() {
      emitter.close();
    }
  }

  @Benchmark
  public boolean balanced(Balanced key, Tally tally) {
    return tally.expectAdmitted(key.handle.tryAcquire());
  }

  @Benchmark
  public boolean strict(Strict key, Tally tally) {
    return tally.expectAdmitted(key.handle.tryAcquire());
  }

  @Benchmark
  public boolean emit(Events events, Tally tally) {
    return tally.expectAdmitted(events.emitter.emit(events.request, Outcome.ADMITTED));
  }

  /** Something that becomes true. */
  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("must be ready within " + PATIENCE);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
