package io.quotaenforcer.servlet;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.QuotaHandle;
import io.quotaenforcer.client.Readiness;
import io.quotaenforcer.client.ReserveOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Decides as another does, and lets requests that may wait do so until they are released. */
final class SlowAdmission implements Admission {
  private final Admission delegate;
  private final AtomicInteger decisions = new AtomicInteger();
  private final List<Runnable> held = new ArrayList<>();
  private boolean holds;

  SlowAdmission(Admission delegate) {
    this.delegate = delegate;
  }

  synchronized void hold() {
    holds = true;
  }

  synchronized void release() {
    holds = false;
    held.forEach(Runnable::run);
    held.clear();
  }

  synchronized int waiting() {
    return held.size();
  }

  int decisions() {
    return decisions.get();
  }

  @Override
  public Decision decide(Request request) {
    decisions.incrementAndGet();
    return delegate.decide(request);
  }

  @Override
  public synchronized CompletableFuture<Decision> decideAsync(Request request, Duration maxWait) {
    CompletableFuture<Decision> future = new CompletableFuture<>();
    Runnable decide = () -> future.complete(decide(request));
    if (holds) {
      held.add(decide);
    } else {
      decide.run();
    }
    return future;
  }

  @Override
  public ReserveOutcome reserve(Request request, long estimate) {
    return delegate.reserve(request, estimate);
  }

  @Override
  public CompletableFuture<ReserveOutcome> reserveAsync(
      Request request, long estimate, Duration maxWait) {
    return delegate.reserveAsync(request, estimate, maxWait);
  }

  @Override
  public QuotaHandle handle(String rule, String... keyValues) {
    return delegate.handle(rule, keyValues);
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
