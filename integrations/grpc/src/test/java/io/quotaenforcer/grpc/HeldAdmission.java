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
import java.util.concurrent.CopyOnWriteArrayList;

/** Lets requests that may wait do so until the test says that their permits have come. */
final class HeldAdmission implements Admission {
  /** A request that waits. */
  record Held(Request request, Duration maxWait, CompletableFuture<Decision> future) {}

  private final Admission inner;
  private final List<Held> held = new CopyOnWriteArrayList<>();

  HeldAdmission(Admission inner) {
    this.inner = inner;
  }

  /** All that have waited, in order. */
  List<Held> held() {
    return held;
  }

  /** Decides all that wait. One that was cancelled takes nothing. */
  void decideAll() {
    for (Held one : held) {
      if (!one.future().isDone()) {
        one.future().complete(inner.decide(one.request()));
      }
    }
  }

  @Override
  public CompletableFuture<Decision> decideAsync(Request request, Duration maxWait) {
    CompletableFuture<Decision> future = new CompletableFuture<>();
    held.add(new Held(request, maxWait, future));
    return future;
  }

  @Override
  public Decision decide(Request request) {
    return inner.decide(request);
  }

  @Override
  public boolean tryAcquire(Request request) {
    return inner.tryAcquire(request);
  }

  @Override
  public Decision decide(Request request, Duration maxWait) {
    throw new AssertionError("no thread may wait");
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
