package io.quotaenforcer.core.backtest;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.MatchedRules;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A set of rules that decides requests like a single process that sees each of them at its own
 * time: the algorithms alone, without instances, loops, leases and openings. A request takes
 * permits from every rule that matches it, or from none if an enforced one has too few. One thread
 * at a time.
 */
public final class RuleRun {
  /** More than one, to catch up with keys that came faster than they went. */
  private static final int IDLE_LOOKED_AT = 2;

  /** Keys are counted whenever one slice of those that may be remembered may be new. */
  private static final int SLICES = 100;

  private static final Comparator<Part> BY_RULE = Comparator.comparing(part -> part.rule().id());

  private final RuleSet rules;
  private final int maxQuotaKeys;
  private final HashKeys hashKeys;
  private final Map<RuleId, UseByKey> uses = new HashMap<>();
  private int matched;
  private long forgotten;

  /**
   * Decision of the rules on one request.
   *
   * @param admitted whether every enforced rule had room
   * @param parts one for each rule that matched, in order of rule
   */
  public record Ruling(boolean admitted, List<Part> parts) {
    public Ruling {
      parts = List.copyOf(parts);
    }
  }

  /**
   * One rule's part in a ruling.
   *
   * @param room whether the quota key had enough permits for the request, or borrowed them, and was
   *     under no penalty
   */
  public record Part(Rule rule, QuotaKey quotaKey, boolean room) {
    /** Whether the rule alone suffices to throttle. */
    public boolean throttles() {
      return !room && rule.mode() == Mode.ENFORCE;
    }

    /** Permits that the rule counts of the request, if it is admitted. */
    public long permits(Request request) {
      return rule.count().counts(request.attributes()) ? request.cost() : 0;
    }
  }

  /**
   * A run that has seen nothing yet.
   *
   * @param maxQuotaKeys keys whose use is remembered while it matters; of more, the one of the rule
   *     that was not asked for the longest is forgotten
   */
  public RuleRun(Collection<Rule> rules, int maxQuotaKeys) {
    this(rules, maxQuotaKeys, HashKeys.NONE);
  }

  /**
   * Like {@link #RuleRun(Collection, int)}, of rules that may hash values.
   *
   * @param hashKeys by which values are hashed that are not yet; of two hashes the first counts
   */
  public RuleRun(Collection<Rule> rules, int maxQuotaKeys, HashKeys hashKeys) {
    this.hashKeys = hashKeys;
    this.rules = RuleSet.of(rules);
    this.maxQuotaKeys = maxQuotaKeys;
    rules.forEach(rule -> uses.put(rule.id(), new UseByKey(rule)));
    this.rules.borrowed().forEach(rule -> uses.put(rule.id(), new UseByKey(rule)));
  }

  /**
   * Decides a request.
   *
   * @param now epoch nanoseconds; not before the previous request's
   */
  public Ruling decide(Request request, long now) {
    MatchedRules matches =
        MatchedRules.of(rules, oneOfEach(rules.match(request, hashKeys, RuleSet.Notes.NONE)));
    List<Asked> asked = new ArrayList<>(matches.size());
    List<Part> parts = new ArrayList<>(matches.size());
    boolean admitted = true;
    for (int i = 0; i < matches.size(); i++) {
      if (matches.isBorrowed(i)) {
        continue;
      }
      RuleSet.Match match = matches.all().get(i);
      Asked own = asked(match, request.cost(), now);
      asked.add(own);
      int by = matches.borrowing().get(i);
      boolean lent = false;
      if (!own.room() && by != MatchedRules.NONE) {
        Asked borrowed = asked(matches.all().get(by), request.cost(), now);
        asked.add(borrowed);
        lent = borrowed.room();
      }
      Part part = new Part(match.rule(), match.quotaKey(), own.room() || lent);
      admitted &= !part.throttles();
      parts.add(part);
    }
    for (Asked each : asked) {
      if (each.room() ? admitted && each.counts(request) : each.use().countsThrottled()) {
        each.use().take(request.cost(), now);
      }
      if (!each.room()) {
        ofRule(each.rule()).throttledBy(each.use(), request.cost(), now);
      }
    }
    forget(matches.all(), now);
    parts.sort(BY_RULE);
    return new Ruling(admitted, parts);
  }

  /** A quota key that was asked for permits. */
  private record Asked(Rule rule, KeyUse use, boolean room) {
    /** A log says of a request how it turned out: among its attributes. */
    boolean counts(Request request) {
      return rule.count().counts(request.attributes());
    }
  }

  private Asked asked(RuleSet.Match match, long cost, long now) {
    UseByKey ofRule = ofRule(match.rule());
    KeyUse use = ofRule.of(match.quotaKey(), now);
    boolean room = use.hasRoom(cost, now);
    ofRule.decidedBy(use);
    return new Asked(match.rule(), use, room);
  }

  /** The first quota key of each rule: while hash keys are rotated, a request has two. */
  private static List<RuleSet.Match> oneOfEach(List<RuleSet.Match> matches) {
    List<RuleSet.Match> first = new ArrayList<>(matches.size());
    for (RuleSet.Match match : matches) {
      if (first.isEmpty() || first.get(first.size() - 1).rule() != match.rule()) {
        first.add(match);
      }
    }
    return first;
  }

  /**
   * Requests that a rule decided by {@linkplain io.quotaenforcer.core.algorithm.Limit#isRounded
   * rounded} moments of use.
   */
  public long rounded(Rule rule) {
    return ofRule(rule).rounded();
  }

  /** Penalties of the rule's quota keys that have started. */
  public long penalties(Rule rule) {
    return ofRule(rule).penalties();
  }

  /** Quota keys that were forgotten while they still mattered. */
  public long forgotten() {
    return forgotten;
  }

  /** Quota keys whose use is remembered. */
  public int quotaKeys() {
    return uses.values().stream().mapToInt(UseByKey::size).sum();
  }

  private void forget(List<RuleSet.Match> matches, long now) {
    for (RuleSet.Match match : matches) {
      ofRule(match.rule()).forgetIdle(IDLE_LOOKED_AT, now);
    }
    matched += matches.size();
    if (matched < maxQuotaKeys / SLICES) {
      return;
    }
    matched = 0;
    uses.values().forEach(ofRule -> ofRule.forgetIdle(Integer.MAX_VALUE, now));
    int remembered = quotaKeys();
    while (remembered > maxQuotaKeys - maxQuotaKeys / SLICES) {
      largest().forgetEldest();
      forgotten++;
      remembered--;
    }
  }

  private UseByKey largest() {
    return Collections.max(uses.values(), Comparator.comparingInt(UseByKey::size));
  }

  private UseByKey ofRule(Rule rule) {
    return Objects.requireNonNull(uses.get(rule.id()));
  }
}
