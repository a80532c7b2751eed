package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A book with its time, and an enforcer that says what the test has it say. */
final class TestBook {
  static final long MILLI = 1_000_000L;
  static final long SECOND = 1_000 * MILLI;

  /** Enforcer time at the start; on the border of a window of any period up to ten seconds. */
  static final long EPOCH = 1_700_000_000L * SECOND;

  /** A monotonic clock may well be negative. */
  static final long START = -5_000 * SECOND;

  static final long OFFSET = EPOCH - START;
  static final int MAX_INSTANCES = 10;

  final AllotmentBook book;
  final BookSettings settings;
  long now = START;
  private RuleSet rules;
  private long sentNanos = START;
  private final Set<Long> settled = new HashSet<>();

  TestBook(Rule... inForce) {
    this(BookSettings.defaults(), inForce);
  }

  TestBook(BookSettings settings, Rule... inForce) {
    this.settings = settings;
    book = new AllotmentBook(settings, MAX_INSTANCES, OFFSET);
    book.applyPrefix(new PrefixInfo(1, QuotaKey.HASH_VERSION, MAX_INSTANCES), now);
    rules = RuleSet.of(List.of(inForce));
    book.applyRules(rules, now);
  }

  /** The defaults with other times and sizes. */
  static BookSettings settings(long evictAfterNanos, int maxKeys) {
    BookSettings d = BookSettings.defaults();
    return d.with(d.holding().withIdle(d.idleAfterNanos(), evictAfterNanos)).withMaxKeys(maxKeys);
  }

  static Rule rule(String id, Limit limit, Enforcement enforcement) {
    return Rule.of(new RuleId("test", id), List.of("user"), limit)
        .withEnforcement(enforcement)
        .withVersion(1, 1);
  }

  static Rule balanced(Limit limit) {
    return rule("rule", limit, Enforcement.BALANCED);
  }

  static Rule strict(Limit limit) {
    return rule("rule", limit, Enforcement.STRICT);
  }

  static Rule with(Rule rule, OnUnavailable onUnavailable, Mode mode) {
    return rule.withOnUnavailable(onUnavailable).withMode(mode);
  }

  static QuotaKey key(String rule, String user) {
    return QuotaKey.of(new RuleId("test", rule), List.of(user));
  }

  void passes(long nanos) {
    now += nanos;
  }

  void apply(Rule rule) {
    rules = rules.with(rule);
    book.applyRules(rules, now);
  }

  void remove(Rule rule) {
    rules = rules.without(rule.id());
    book.applyRules(rules, now);
  }

  boolean admits() {
    return decide().admitted();
  }

  /** How many of {@code requests} are admitted. */
  int admitted(int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += admits() ? 1 : 0;
    }
    return admitted;
  }

  Decision decide() {
    return decide("42", 1);
  }

  Charge charge(long estimate) {
    return book.charge(new Request(Map.of("user", "42"), estimate), now);
  }

  Decision decide(String user, long cost) {
    return book.decide(new Request(Map.of("user", user), cost), now);
  }

  RuleDecision decision() {
    return decide().rule().orElseThrow();
  }

  /** The reports that are due now, of all keys. */
  List<QuotaUsage> reports() {
    List<QuotaUsage> usages = new ArrayList<>();
    for (PartitionReport report : book.reports(now)) {
      usages.addAll(report.quotas());
      sentNanos = now;
    }
    return usages;
  }

  /** The report that is due now, of the one key. */
  Optional<QuotaUsage> report() {
    List<QuotaUsage> usages = reports();
    if (usages.size() > 1) {
      throw new AssertionError("must be one usage: " + usages);
    }
    return usages.stream().findFirst();
  }

  /** The cells reported now; empty when there is no report. */
  List<CellUsage> cells() {
    return report().map(QuotaUsage::cells).orElse(List.of());
  }

  /** Steps of the report loop, each a tick apart, until the time has passed; how many reported. */
  int ticks(long nanos) {
    int reports = 0;
    long end = now + nanos;
    while (now < end) {
      passes(Math.min(settings.urgentIntervalNanos(), end - now));
      reports += reports().isEmpty() ? 0 : 1;
    }
    return reports;
  }

  /**
   * Like {@link #ticks}, with an enforcer that answers every report with those of these grants that
   * the instance has not closed, and settles what it has.
   */
  void answeredTicks(long nanos, CellGrant... grants) {
    long end = now + nanos;
    while (now < end) {
      passes(Math.min(settings.urgentIntervalNanos(), end - now));
      List<CellUsage> cells = cells();
      if (!cells.isEmpty()) {
        settled.addAll(closed(cells));
        answer()
            .grants(
                Stream.of(grants)
                    .filter(grant -> !settled.contains(grant.id()))
                    .toArray(CellGrant[]::new))
            .settled(closed(cells).toArray(Long[]::new))
            .send();
      }
    }
  }

  /** The cell in the next report that has it, within a minute. */
  CellUsage openCell(long id) {
    for (long end = now + 60 * SECOND; now < end; ) {
      for (CellUsage cell : cells()) {
        if (cell.id() == id) {
          return cell;
        }
      }
      passes(settings.urgentIntervalNanos());
    }
    throw new AssertionError("must be reported: id=" + id);
  }

  static List<Long> closed(List<CellUsage> cells) {
    return cells.stream().filter(CellUsage::closed).map(CellUsage::id).toList();
  }

  long enforcerNow() {
    return now + OFFSET;
  }

  /** A grant of the current window, or of no window, for two seconds from now. */
  CellGrant grant(Limit limit, long id, long permits) {
    long window = limit.cellWindow(enforcerNow());
    long end = limit instanceof WindowedLimit ? window + limit.periodNanos() : Long.MAX_VALUE;
    long until = Math.min(end, enforcerNow() + settings.ttlNanos());
    return new CellGrant(id, window, permits, window, until);
  }

  /** Terms of a share, until half a minute from now. */
  CellGrant share(long id, long number, long permits) {
    return share(id, number, permits, 30 * SECOND);
  }

  CellGrant share(long id, long number, long permits, long termNanos) {
    RateShare terms = new RateShare(number, permits, permits * 1_000);
    return new CellGrant(id, 0, 0, 0, enforcerNow() + termNanos, terms);
  }

  Answer answer() {
    return new Answer();
  }

  /** Reports, and has the report answered at once with these grants. */
  void granted(CellGrant... grants) {
    reports();
    answer().grants(grants).send();
  }

  /** An answer to the newest report, made and received now. */
  final class Answer {
    private final List<CellGrant> cells = new ArrayList<>();
    private final List<Long> settled = new ArrayList<>();
    private QuotaKey quotaKey = key("rule", "42");
    private long generation = 1;
    private long limit = -1;
    private long used;
    private long remaining;
    private long opening;
    private long openingUntil;
    private long penaltyUntil;
    private Optional<LimitInForce> inForce = Optional.empty();
    private boolean scarce;
    private long echo = sentNanos;
    private long made = enforcerNow();

    Answer grants(CellGrant... grants) {
      cells.addAll(List.of(grants));
      return this;
    }

    Answer settled(Long... ids) {
      settled.addAll(List.of(ids));
      return this;
    }

    Answer of(QuotaKey key, long ofGeneration) {
      quotaKey = key;
      generation = ofGeneration;
      return this;
    }

    /** Tells another limit than the rule's. */
    Answer limit(long permits) {
      limit = permits;
      return this;
    }

    Answer used(long permits) {
      used = permits;
      return this;
    }

    Answer remaining(long permits) {
      remaining = permits;
      return this;
    }

    /** Leaves permits to open, which renew with time. */
    Answer opening(long permits) {
      opening = permits;
      return this;
    }

    /** Leaves permits to open until this enforcer time, and no more. */
    Answer opening(long permits, long until) {
      openingUntil = until;
      return opening(permits);
    }

    /** Says that everything is refused until this enforcer time. */
    Answer inForce(LimitInForce why) {
      inForce = Optional.of(why);
      return this;
    }

    Answer penaltyUntil(long enforcerNanos) {
      penaltyUntil = enforcerNanos;
      return this;
    }

    /** Says that other instances need permits, and none are left. */
    Answer scarce() {
      scarce = true;
      return this;
    }

    /** Answers a report that was sent at this local time. */
    Answer to(long sent) {
      echo = sent;
      return this;
    }

    /** Was made at this local time. */
    Answer madeAt(long local) {
      made = local + OFFSET;
      return this;
    }

    void send() {
      Limit ofRule = rules.rule(quotaKey.rule()).orElseThrow().limit();
      QuotaAnswer answer =
          new QuotaAnswer(
              quotaKey,
              generation,
              limit < 0 ? ofRule.permits() : limit,
              used,
              remaining,
              ofRule.windowStart(made) + ofRule.periodNanos(),
              opening,
              openingUntil,
              DeclaredBound.NOTHING,
              scarce,
              List.of(),
              cells,
              settled,
              penaltyUntil,
              inForce);
      book.applySnapshot(new QuotaSnapshot("me", 1, 0, echo, made, List.of(answer)), now);
    }
  }
}
