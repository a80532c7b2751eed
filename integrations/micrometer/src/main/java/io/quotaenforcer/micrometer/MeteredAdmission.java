package io.quotaenforcer.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.QuotaHandle;
import io.quotaenforcer.client.Readiness;
import io.quotaenforcer.client.ReserveOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Counts the decisions of another {@link Admission}, and measures them. Safe for use by any number
 * of threads.
 *
 * <table>
 *   <caption>Meters</caption>
 *   <tr><th>name</th><th>tags</th><th>is</th></tr>
 *   <tr><td>rate_limiting.requests</td><td>policy, class, result</td><td>decisions by rule: {@code
 *       admitted}, {@code over_limit}, {@code not_granted_yet}, {@code denied}, {@code penalty};
 *       and those by no rule: {@code unmatched}, {@code not_ready}</td></tr>
 *   <tr><td>rate_limiting.request.time_in_queue</td><td>result</td><td>how long requests waited that
 *       had to; of the {@code decide} that holds up its thread, all that may wait</td></tr>
 *   <tr><td>rate_limiting.decision.duration</td><td></td><td>how long a decision took, of one in
 *       {@value Decisions#SAMPLED}</td></tr>
 * </table>
 *
 * <p>A request that several rules match counts for each. {@link #tryAcquire}, and {@link
 * QuotaHandle#tryAcquire(long)} and {@link QuotaHandle#tryEnter} of a handle, tell no rule: they
 * are counted by their result alone, as {@code admitted} or {@code throttled}.
 */
public final class MeteredAdmission implements Admission {
  private final Admission delegate;
  private final Decisions decisions;

  /**
   * @param delegate decides, and is closed with this
   */
  public MeteredAdmission(Admission delegate, MeterRegistry registry) {
    this.delegate = delegate;
    this.decisions = new Decisions(registry, delegate::rules);
  }

  @Override
  public Decision decide(Request request) {
    if (!decisions.isSampled()) {
      return decisions.count(delegate.decide(request));
    }
    long begun = System.nanoTime();
    Decision decision = delegate.decide(request);
    decisions.took(System.nanoTime() - begun);
    return decisions.count(decision);
  }

  @Override
  public boolean tryAcquire(Request request) {
    return decisions.count(delegate.tryAcquire(request));
  }

  @Override
  public Decision decide(Request request, Duration maxWait) throws InterruptedException {
    long begun = System.nanoTime();
    Decision decision = delegate.decide(request, maxWait);
    decisions.waited(decision, System.nanoTime() - begun);
    return decisions.count(decision);
  }

  @Override
  public CompletableFuture<Decision> decideAsync(Request request, Duration maxWait) {
    long begun = System.nanoTime();
    return decisions.count(delegate.decideAsync(request, maxWait), begun);
  }

  @Override
  public ReserveOutcome reserve(Request request, long estimate) {
    ReserveOutcome outcome = delegate.reserve(request, estimate);
    decisions.count(outcome.decision());
    return outcome;
  }

  @Override
  public CompletableFuture<ReserveOutcome> reserveAsync(
      Request request, long estimate, Duration maxWait) {
    long begun = System.nanoTime();
    CompletableFuture<ReserveOutcome> future = delegate.reserveAsync(request, estimate, maxWait);
    boolean waits = !future.isDone();
    future.thenAccept(
        outcome -> {
          if (waits) {
            decisions.waited(outcome.decision(), System.nanoTime() - begun);
          }
          decisions.count(outcome.decision());
        });
    return future;
  }

  @Override
  public QuotaHandle handle(String rule, String... keyValues) {
    return decisions.counted(delegate.handle(rule, keyValues));
  }

  @Override
  public RuleSet rules() {
    return delegate.rules();
  }

  @Override
  public Readiness readiness() {
    return delegate.readiness();
  }

  @Override
  public void close() {
    delegate.close();
  }
}
