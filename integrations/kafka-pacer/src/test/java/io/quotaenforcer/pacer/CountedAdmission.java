package io.quotaenforcer.pacer;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.QuotaHandle;
import io.quotaenforcer.client.Readiness;
import io.quotaenforcer.client.ReserveOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Counts what another admission admits, and can be told to fail. */
final class CountedAdmission implements Admission {
  private final Admission inner;
  private long admitted;
  private long asked;

  /** Whether decisions fail from now on. */
  boolean broken;

  CountedAdmission(Admission inner) {
    this.inner = inner;
  }

  long admitted() {
    return admitted;
  }

  long asked() {
    return asked;
  }

  @Override
  public Decision decide(Request request) {
    asked++;
    if (broken) {
      throw new IllegalStateException("broken");
    }
    Decision decision = inner.decide(request);
    admitted += decision.admitted() ? 1 : 0;
    return decision;
  }

  @Override
  public boolean tryAcquire(Request request) {
    return decide(request).admitted();
  }

  @Override
  public Decision decide(Request request, Duration maxWait) {
    throw new AssertionError("the poll loop may not wait");
  }

  @Override
  public CompletableFuture<Decision> decideAsync(Request request, Duration maxWait) {
    return CompletableFuture.completedFuture(decide(request));
  }

  @Override
  public ReserveOutcome reserve(Request request, long estimate) {
    return inner.reserve(request, estimate);
  }

  @Override
  public QuotaHandle handle(String rule, String... keyValues) {
    return inner.handle(rule, keyValues);
  }

  @Override
  public RuleSet rules() {
    return inner.rules();
  }

  @Override
  public Readiness readiness() {
    return inner.readiness();
  }

  @Override
  public CompletableFuture<ReserveOutcome> reserveAsync(
      Request request, long estimate, Duration maxWait) {
    return inner.reserveAsync(request, estimate, maxWait);
  }

  @Override
  public void close() {
    inner.close();
  }
}
