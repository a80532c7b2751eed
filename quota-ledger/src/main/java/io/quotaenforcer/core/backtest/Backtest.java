package io.quotaenforcer.core.backtest;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.backtest.BacktestResult.Against;
import io.quotaenforcer.core.backtest.BacktestResult.QuotaKeyCounts;
import io.quotaenforcer.core.backtest.RuleRun.Part;
import io.quotaenforcer.core.backtest.RuleRun.Ruling;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.Rule;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs rules over past requests: how they would have decided, and what they would have changed
 * against other rules. Requests come nearly in order of time, are {@linkplain EventOrder put in
 * order}, and are decided by {@link RuleRun}. One thread at a time; memory is bounded.
 */
public final class Backtest {
  private final RulesTally rules;
  private final @Nullable RulesTally old;
  private final ChangesTally changes;
  private final TopKeys<Tally> keys;
  private final EventOrder<Request> order;
  private long firstNanos;
  private long lastNanos;

  /**
   * A back-test without any requests yet.
   *
   * @param against the rules to compare with; empty for none
   * @throws IllegalArgumentException if a rule limits how many run at a time: requests of the past
   *     do not say when they ended
   */
  public Backtest(
      Collection<Rule> rules, Optional<Collection<Rule>> against, BacktestBounds bounds) {
    this(rules, against, bounds, HashKeys.NONE);
  }

  /**
   * A back-test without any requests yet.
   *
   * @param against the rules to compare with; empty for none
   * @param hashKeys by which values are hashed that are not yet; without any, rules that hash count
   *     only what is
   */
  public Backtest(
      Collection<Rule> rules,
      Optional<Collection<Rule>> against,
      BacktestBounds bounds,
      HashKeys hashKeys) {
    rules.forEach(Backtest::check);
    against.ifPresent(others -> others.forEach(Backtest::check));
    this.rules = new RulesTally(rules, bounds, hashKeys);
    this.old = against.map(others -> new RulesTally(others, bounds, hashKeys)).orElse(null);
    this.changes = new ChangesTally(bounds);
    this.keys = new TopKeys<>(bounds.maxCounted(), Tally::new, Tally.MOST_THROTTLED_FIRST);
    this.order = new EventOrder<>(bounds, this::decide);
  }

  private static void check(Rule rule) {
    if (rule.limit() instanceof ConcurrencyLimit) {
      throw new IllegalArgumentException(
          "must not limit how many run at a time, since events do not say when a request ended:"
              + " rule="
              + rule.id());
    }
  }

  /**
   * Runs the next request.
   *
   * @param timeNanos when it was made, epoch nanoseconds
   */
  public void add(Request request, long timeNanos) {
    order.add(request, timeNanos);
  }

  /** Requests that were decided so far; some may wait to be put in order. */
  public Totals totals() {
    return rules.totals();
  }

  /**
   * Decides what is still waiting, and sums up; nothing may be added after it.
   *
   * @param topKeys most quota keys that are told one by one
   */
  public BacktestResult end(int topKeys) {
    order.end();
    RulesTally before = old;
    return new BacktestResult(
        firstNanos,
        lastNanos,
        rules.totals(),
        rules.perRule(),
        keys.top(topKeys).stream()
            .map(entry -> new QuotaKeyCounts(entry.quotaKey(), entry.counted().counts()))
            .toList(),
        before == null ? Optional.empty() : Optional.of(against(before, topKeys)),
        order.late(),
        rules.forgottenKeys() + (before == null ? 0 : before.forgottenKeys()),
        keys.isExact() && changes.keysExact());
  }

  private Against against(RulesTally before, int topKeys) {
    return new Against(
        before.totals(),
        before.perRule(),
        changes.change(),
        changes.perRule(),
        changes.topKeys(topKeys));
  }

  private void decide(Request request, long now) {
    if (rules.totals().requests() == 0) {
      firstNanos = now;
    }
    lastNanos = now;
    Ruling ruling = rules.decide(request, now);
    for (Part part : ruling.parts()) {
      keys.of(part.quotaKey()).count(ruling, part, part.permits(request));
    }
    if (old != null) {
      changes.count(old.decide(request, now), ruling);
    }
  }
}
