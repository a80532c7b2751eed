package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.RenewalTerms;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One key's ledger with its time. After every report, and after every test, what is available, what
 * is outstanding and what is booked must not exceed the limit together; and what was granted for a
 * window must not either, by a count of its own that {@link GrantAudit} keeps.
 */
final class TestLedger implements AfterEachCallback {
  static final long MILLI = 1_000_000L;
  static final long SECOND = 1_000 * MILLI;
  static final long MINUTE = 60 * SECOND;

  /** On the border of a window of any period up to ten seconds. */
  static final long START = 1_700_000_000L * SECOND;

  static final LedgerSettings SETTINGS =
      LedgerSettings.defaults(10).withValidity(new Validity(2 * SECOND, 30 * SECOND));

  static final LedgerSettings RESTING =
      SETTINGS.withValidity(SETTINGS.validity().withRestTerm(10 * MINUTE));

  static final long TTL = SETTINGS.allotmentTtlNanos();
  static final long BORDER = SETTINGS.borderNanos();

  private final Ledger ledger;
  private final GrantAudit audit = new GrantAudit();
  private final Map<Long, Long> counted = new HashMap<>();
  private final Map<Long, Long> throttled = new HashMap<>();
  private boolean hadRefillsOfShares;
  private boolean overBooked;
  private long tenure;
  private long predecessorsLatest;
  private long predecessorsUntil;
  private long commit;
  final QuotaKey key = QuotaKey.of(new RuleId("test", "rule"), List.of("42"));
  Rule rule;
  KeyLedger state;
  long now = START;

  TestLedger(Limit limit) {
    this(limit, SETTINGS);
  }

  /** One that lets nothing to shares that leases can carry. */
  static TestLedger leasing(Limit limit) {
    return new TestLedger(limit, SETTINGS.withValidity(new Validity(TTL, 0)));
  }

  /** One of a strict rule, that lets permits rest. */
  static TestLedger resting(Limit limit) {
    TestLedger ledger = new TestLedger(limit, RESTING);
    ledger.rule = ledger.rule.withEnforcement(Enforcement.STRICT);
    return ledger;
  }

  private TestLedger(Limit limit, LedgerSettings settings) {
    ledger = new Ledger(settings);
    rule = Rule.of(key.rule(), List.of("user"), limit).withVersion(1, 1);
    state = ledger.open(rule, limit, tenure(), now);
  }

  /** The test books more than the limit on purpose: by opened cells, or by lowering the limit. */
  TestLedger overBooked() {
    overBooked = true;
    return this;
  }

  void passes(long nanos) {
    now += nanos;
  }

  /** Puts a limit in force within the generation. */
  void limit(Limit limit) {
    rule = rule.withLimit(limit).withVersion(rule.version() + 1, rule.generation());
  }

  /** Puts a limit in force as a new generation. */
  void nextGeneration(Limit limit) {
    rule = rule.withLimit(limit).withVersion(rule.version() + 1, rule.version() + 1);
  }

  /** Starts anew, as after the key's ledger was forgotten. */
  void forget() {
    state = ledger.open(rule, rule.limitOf(key), tenure(), now);
  }

  /** Another enforcer takes over from one that granted nothing later than {@code latest}. */
  void takenOver(long latest) {
    tenure++;
    predecessorsLatest = latest;
    predecessorsUntil = latest + TTL + 200 * MILLI;
  }

  Report from(String instance) {
    return new Report(instance);
  }

  long available() {
    return state.available(now);
  }

  long outstanding() {
    return state.outstanding(now);
  }

  /** Permits booked in the current window, or missing from the bucket. */
  long booked() {
    return state.limit().used(state.limit().advance(state.state(), now), now);
  }

  long counted(long window) {
    return counted.getOrDefault(window, 0L);
  }

  /** In all windows. */
  long counted() {
    return counted.values().stream().mapToLong(Long::longValue).sum();
  }

  long throttled(long window) {
    return throttled.getOrDefault(window, 0L);
  }

  void apply(UsageReport report, QuotaUsage usage, Sent into) {
    LedgerOutcome outcome = applyOnce(report, usage);
    List<WindowCount> changes = outcome.counts();
    Optional<ExhaustedQuota> exhausted = outcome.exhausted();
    if (outcome.mayGetMore()) {
      commit++;
      outcome = applyOnce(report, usage);
      assertThat(outcome.counts()).as("counts of a report applied again").isEmpty();
    }
    String holder = report.instance() + "#" + report.epoch() + "#" + usage.generation();
    audit.reported(holder, usage.cells());
    outcome.answer().ifPresent(answer -> audit.granted(holder, answer.cells()));
    into.answer = outcome.answer().orElse(null);
    into.exhausted = exhausted.isPresent() ? exhausted : outcome.exhausted();
    into.counts = changes;
    addsUp();
  }

  /** Use of closed cells that is told of once, as a combiner does. */
  LedgerOutcome count(long generation, CellUsage... cells) {
    UsageReport report = new UsageReport(HolderId.Combiner.of(0), 1, 0, 0, -1, List.of());
    QuotaUsage usage = new QuotaUsage(key, generation, 0, 0, List.of(cells));
    return book(ledger.count(state, rule, report, usage, tenure(), now));
  }

  private LedgerOutcome applyOnce(UsageReport report, QuotaUsage usage) {
    return book(ledger.apply(state, rule, report, usage, tenure(), now));
  }

  private LedgerOutcome book(LedgerOutcome outcome) {
    state = outcome.ledger();
    for (WindowCount count : outcome.counts()) {
      counted.merge(count.windowStartNanos(), count.used(), Long::sum);
      throttled.merge(count.windowStartNanos(), count.throttled(), Long::sum);
    }
    return outcome;
  }

  private Tenure tenure() {
    return Tenure.afterCrash(tenure, predecessorsLatest, predecessorsUntil, commit);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    addsUp();
  }

  private void addsUp() {
    commit++;
    Limit limit = state.limit();
    long left = limit.available(limit.advance(state.state(), now), now);
    assertThat(available() + outstanding() + booked())
        .as("available + outstanding + booked")
        .isLessThanOrEqualTo(limit.capacity());
    hadRefillsOfShares |= state.hasShares() && limit.renewal() instanceof RenewalTerms.Refills;
    // The refill of a share that ends is charged before it is there.
    if (!overBooked && !hadRefillsOfShares) {
      long aside =
          !(limit instanceof WindowedLimit)
              ? 0
              : state.headrooms().stream().mapToLong(this::inThisWindow).sum();
      assertThat(outstanding() + aside)
          .as("outstanding and set aside")
          .isLessThanOrEqualTo(Math.max(0, left));
      if (limit instanceof WindowedLimit) {
        audit.check(limit.permits());
      }
    }
  }

  private long inThisWindow(Headroom headroom) {
    return headroom.windowStartNanos() == state.limit().cellWindow(now) ? headroom.total() : 0;
  }

  /** The result of a report. */
  static final class Sent {
    QuotaAnswer answer;
    Optional<ExhaustedQuota> exhausted = Optional.empty();
    List<WindowCount> counts = List.of();

    /** Until when it is announced that no permits are left. */
    OptionalLong exhaustedUntil() {
      return exhausted.stream().mapToLong(ExhaustedQuota::untilNanos).findFirst();
    }

    /** The only cell that can be used. */
    CellGrant grant() {
      List<CellGrant> grants = grants();
      assertThat(grants).as("usable cells").hasSize(1);
      return grants.get(0);
    }

    /** The cells that can be used. */
    List<CellGrant> grants() {
      return answer.cells().stream().filter(grant -> !grant.isEnded()).toList();
    }

    long granted() {
      return grants().stream().mapToLong(CellGrant::granted).sum();
    }
  }

  /** A report of one instance on the key; says nothing that it is not told to say. */
  final class Report {
    private final String instance;
    private final List<CellUsage> cells = new ArrayList<>();
    private long epoch = 1;
    private long generation = rule.generation();
    private double demand;
    private long needed;
    private long loop;

    Report(String instance) {
      this.instance = instance;
    }

    Report epoch(long newEpoch) {
      epoch = newEpoch;
      return this;
    }

    Report generation(long newGeneration) {
      generation = newGeneration;
      return this;
    }

    Report demand(double perSecond) {
      demand = perSecond;
      return this;
    }

    Report needs(long permits) {
      needed = permits;
      return this;
    }

    Report loop(long nanos) {
      loop = nanos;
      return this;
    }

    Report cell(CellUsage usage) {
      cells.add(usage);
      return this;
    }

    /** The granted cell is open, and {@code used} of its permits were used. */
    Report uses(CellGrant grant, long used) {
      return cell(
          CellUsage.of(grant.id(), grant.windowStartNanos())
              .withGranted(grant.granted())
              .withTaken(used));
    }

    /** The granted cell is closed after use; the rest of it is given back. */
    Report closes(CellGrant grant, long used) {
      return cell(
          CellUsage.of(grant.id(), grant.windowStartNanos())
              .withGranted(grant.granted())
              .withTaken(grant.granted())
              .withGivenBack(grant.granted() - used)
              .asClosed());
    }

    /** A cell that the instance opened itself. */
    Report opened(long id, long window, long used, boolean closed) {
      return cell(CellUsage.of(-id, window).withTaken(used).withClosed(closed));
    }

    Sent send() {
      Sent sent = new Sent();
      QuotaUsage usage = new QuotaUsage(key, generation, demand, needed, cells);
      apply(new UsageReport(instance, epoch, now, loop, 0, List.of(usage)), usage, sent);
      return sent;
    }
  }
}
