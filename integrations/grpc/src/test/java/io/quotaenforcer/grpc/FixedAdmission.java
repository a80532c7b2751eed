package io.quotaenforcer.grpc;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.QuotaHandle;
import io.quotaenforcer.client.Readiness;
import io.quotaenforcer.client.ReserveOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Decides all requests alike. */
final class FixedAdmission implements Admission {
  /** The decision; null to throw an exception. */
  volatile Decision decision;

  FixedAdmission(Decision decision) {
    this.decision = decision;
  }

  @Override
  public Decision decide(Request request) {
    if (decision == null) {
      throw new IllegalStateException("cannot decide");
    }
    return decision;
  }

  @Override
  public boolean tryAcquire(Request request) {
    return decide(request).admitted();
  }

  @Override
  public Decision decide(Request request, Duration maxWait) {
    return decide(request);
  }

  @Override
  public CompletableFuture<Decision> decideAsync(Request request, Duration maxWait) {
    return CompletableFuture.supplyAsync(() -> decide(request));
  }

  @Override
  public ReserveOutcome reserve(Request request, long estimate) {
    return new ReserveOutcome.NotReserved(decide(request));
  }

  @Override
  public QuotaHandle handle(String rule, String... keyValues) {
    throw new IllegalArgumentException("must be a rule in force: rule=" + rule);
  }

  @Override
  public RuleSet rules() {
    return RuleSet.of(List.of());
  }

  @Override
  public Readiness readiness() {
    return new Readiness.Ready();
  }

  @Override
  public CompletableFuture<ReserveOutcome> reserveAsync(
      Request request, long estimate, Duration maxWait) {
    throw new AssertionError("not asked for");
  }

  @Override
  public void close() {}
}
