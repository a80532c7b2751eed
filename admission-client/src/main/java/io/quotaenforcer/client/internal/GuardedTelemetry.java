package io.quotaenforcer.client.internal;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.DeferralOutcome;
import io.quotaenforcer.client.spi.NotWaited;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.LimitInForce;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a user's telemetry from breaking the client. */
public final class GuardedTelemetry implements ClientTelemetry {
  private static final Logger log = LoggerFactory.getLogger(GuardedTelemetry.class);

  private final ClientTelemetry delegate;
  private final AtomicBoolean told = new AtomicBoolean();

  public GuardedTelemetry(ClientTelemetry delegate) {
    this.delegate = delegate;
  }

  @Override
  public void reported(int partition, int quotas, int bytes) {
    guard(() -> delegate.reported(partition, quotas, bytes));
  }

  @Override
  public void answered(int partition, int quotas, long loopNanos) {
    guard(() -> delegate.answered(partition, quotas, loopNanos));
  }

  @Override
  public void rulesChanged(int rules) {
    guard(() -> delegate.rulesChanged(rules));
  }

  @Override
  public void rulesUnreadable(int rules) {
    guard(() -> delegate.rulesUnreadable(rules));
  }

  @Override
  public void throttled(RuleDecision decidedBy) {
    guard(() -> delegate.throttled(decidedBy));
  }

  @Override
  public void notWaited(NotWaited why) {
    guard(() -> delegate.notWaited(why));
  }

  @Override
  public void matchGivenUp(RuleId rule, String attribute, long times) {
    guard(() -> delegate.matchGivenUp(rule, attribute, times));
  }

  @Override
  public void limitInForce(RuleId rule, Optional<LimitInForce> now) {
    guard(() -> delegate.limitInForce(rule, now));
  }

  @Override
  public void deferred(DeferralOutcome outcome) {
    guard(() -> delegate.deferred(outcome));
  }

  @Override
  public void replayed(ReplayOutcome outcome, int attempts) {
    guard(() -> delegate.replayed(outcome, attempts));
  }

  @Override
  public void unpaid(long permits) {
    guard(() -> delegate.unpaid(permits));
  }

  @Override
  public void failed(String what, Exception cause) {
    guard(() -> delegate.failed(what, cause));
  }

  private void guard(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | Error e) {
      // Errors, too: a binding may be of another version of what it tells.
      if (told.compareAndSet(false, true)) {
        log.warn("telemetry {} throws; further failures are not logged", delegate.getClass(), e);
      }
    }
  }
}
