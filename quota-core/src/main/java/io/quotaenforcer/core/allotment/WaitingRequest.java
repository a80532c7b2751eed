package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits until every rule that it has to pay has room. Used by one thread at a time,
 * and by no book but the one that it was decided by.
 */
public final class WaitingRequest {
  private final Target target;
  private final long cost;
  private final long askedNanos;

  /** The keys that have no room for it, each with its class there. */
  private Map<KeyAllotment, Integer> awaited = Map.of();

  /** The key of a concurrency limit that has no room for it. */
  private @Nullable KeyAllotment line;

  /** The rules it has to pay, looked up afresh each time since they may have changed. */
  sealed interface Target {
    /**
     * Every rule that matches.
     *
     * @param paid quota keys of the rules that it has paid already
     */
    record Matching(Request request, Set<QuotaKey> paid) implements Target {}

    /**
     * One rule alone.
     *
     * @param values of the rule's key attributes
     * @param demandClass name of its class; the one that is served last where the rule has none
     *     such
     */
    record OneRule(RuleId rule, List<String> values, String demandClass) implements Target {}
  }

  private WaitingRequest(Target target, long cost, long askedNanos) {
    this.target = target;
    this.cost = cost;
    this.askedNanos = askedNanos;
  }

  /**
   * A request that nothing was asked for yet.
   *
   * @param askedNanos when it came
   */
  public WaitingRequest(Request request, long askedNanos) {
    this(request, Set.of(), askedNanos);
  }

  /**
   * A request that has paid some of its rules already, and waits for the others only.
   *
   * @param paid quota keys of the rules that it has paid
   * @param askedNanos when it came
   */
  public WaitingRequest(Request request, Collection<QuotaKey> paid, long askedNanos) {
    this(new Target.Matching(request, Set.copyOf(paid)), request.cost(), askedNanos);
  }

  /**
   * A request that one rule decides, whichever others match.
   *
   * @param values of the rule's key attributes
   * @param askedNanos when it came
   */
  public static WaitingRequest of(RuleId rule, List<String> values, long cost, long askedNanos) {
    return of(rule, values, "", cost, askedNanos);
  }

  /**
   * The same of one of the rule's classes.
   *
   * @param values of the rule's key attributes
   * @param demandClass name of the class; the one that is served last where the rule has none such
   * @param askedNanos when it came
   */
  public static WaitingRequest of(
      RuleId rule, List<String> values, String demandClass, long cost, long askedNanos) {
    PermitCount.checkCost("permits", cost);
    return new WaitingRequest(
        new Target.OneRule(rule, List.copyOf(values), demandClass), cost, askedNanos);
  }

  Target target() {
    return target;
  }

  long cost() {
    return cost;
  }

  /**
   * Whether the enforcer has answered a report that was sent after the request came, and some rule
   * had no room for it, whoever holds the rest.
   */
  public boolean isRefused() {
    for (KeyAllotment allotment : awaited.keySet()) {
      if (allotment.isRefusedSince(cost, askedNanos)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it waits for slots of a key already. */
  boolean isInLine(KeyAllotment key) {
    return line == key;
  }

  /** Waits for slots of a key from now on, behind those that do already; null to wait for none. */
  void lineUp(@Nullable KeyAllotment key) {
    if (line != key) {
      if (line != null) {
        line.line(-1);
      }
      if (key != null) {
        key.line(1);
      }
      line = key;
    }
  }

  /** A request that begins to borrow is of another class to the pool from then on. */
  void awaits(Map<KeyAllotment, Integer> newAwaited) {
    newAwaited.forEach(
        (allotment, demandClass) -> {
          if (!demandClass.equals(awaited.get(allotment))) {
            allotment.await(cost, demandClass);
          }
        });
    awaited.forEach(
        (allotment, demandClass) -> {
          if (!demandClass.equals(newAwaited.get(allotment))) {
            allotment.await(-cost, demandClass);
          }
        });
    awaited = newAwaited;
  }
}
