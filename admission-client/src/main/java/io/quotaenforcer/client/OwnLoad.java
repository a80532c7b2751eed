package io.quotaenforcer.client;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.core.adapt.LoadSignal;
import io.quotaenforcer.core.rule.OwnLimits;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works out what the load of this instance leaves of limits, puts it in force, and says so where it
 * is another part or another reason. Used by one thread at a time.
 */
final class OwnLoad {
  private static final Logger log = LoggerFactory.getLogger(OwnLoad.class);

  private final Consumer<OwnLimits> book;
  private final ClientTelemetry telemetry;
  private OwnLimits limits = OwnLimits.NONE;

  /**
   * @param book decides by them
   */
  OwnLoad(Consumer<OwnLimits> book, ClientTelemetry telemetry) {
    this.book = book;
    this.telemetry = telemetry;
  }

  /**
   * About a second later.
   *
   * @param signal with nothing in it where nothing was measured
   * @param nowNanos since 1970, by a clock that never runs backwards
   */
  void next(RuleSet inForce, LoadSignal signal, long nowNanos) {
    OwnLimits older = limits;
    limits = older.next(inForce, signal, nowNanos);
    if (limits.equals(older)) {
      return;
    }
    book.accept(limits);
    Set<RuleId> rules = new TreeSet<>(older.byRule().keySet());
    rules.addAll(limits.byRule().keySet());
    for (RuleId rule : rules) {
      Optional<LimitInForce> then = older.of(rule);
      Optional<LimitInForce> now = limits.of(rule);
      boolean isSame = now.isPresent() && then.filter(now.get()::saysTheSame).isPresent();
      if (!isSame) {
        log.debug("in force of the limit of {} by the load of this instance: {}", rule, now);
        telemetry.limitInForce(rule, now);
      }
    }
  }
}
