package io.quotaenforcer.client.internal.kafka;

import io.quotaenforcer.client.spi.NotWaited;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A book of an instance, and what waits for it; the test is its enforcer and its clock. */
abstract class PendingKit {
  static final Duration TIMEOUT = Duration.ofSeconds(20);
  static final long MILLI = 1_000_000L;
  static final long START = 1_700_000_000_000_000_000L;
  static final long LIMIT = 10;
  static final long WINDOW = 60_000 * MILLI;
  static final long MAX_WAIT = 5_000 * MILLI;
  static final int MOST = 3;
  static final Rule PER_USER = strict("per-user", List.of("user"));
  static final Rule SERVICE = strict("service", List.of());
  static final Request REQUEST = Request.of("user", "42");

  final AllotmentBook book = new AllotmentBook(BookSettings.defaults(), 4, 0);
  final List<NotWaited> notWaited = new ArrayList<>();
  boolean kafkaAway;
  final HandOver handOver = new HandOver("test");
  final PendingDecisions pending =
      new PendingDecisions(
          book,
          () -> this.now,
          handOver,
          new PendingDecisions.Limits(MOST, this.notWaited::add),
          () -> this.kafkaAway);
  volatile long now = START;
  long cells;

  @AfterEach
  void close() {
    handOver.close();
  }

  @BeforeEach
  void start() {
    book.applyPrefix(new PrefixInfo(1, QuotaKey.HASH_VERSION, 4), now);
    book.applyRules(RuleSet.of(List.of(PER_USER)), now);
  }

  CompletableFuture<Decision> decide() {
    CompletableFuture<Decision> decision = pending.decide(REQUEST, MAX_WAIT, HandOver.AT_ONCE, now);
    book.reports(now);
    return decision;
  }

  void passes(long nanos) {
    now += nanos;
    book.reports(now);
  }

  /** The enforcer answers the report sent at {@code sentNanos} with a new cell of the window. */
  void answer(Rule rule, long sentNanos, long used, long granted) {
    QuotaSnapshot snapshot =
        snapshot(rule, rule.quotaKey(REQUEST).orElseThrow(), sentNanos, used, granted);
    book.applySnapshot(snapshot, now);
    pending.answered(snapshot, now);
  }

  QuotaSnapshot snapshot(Rule rule, QuotaKey key, long sentNanos, long used, long granted) {
    long window = rule.limit().windowStart(now);
    List<CellGrant> grants =
        granted == 0
            ? List.of()
            : List.of(new CellGrant(now + ++cells, window, granted, window, window + WINDOW));
    QuotaAnswer answer =
        new QuotaAnswer(
            key,
            rule.generation(),
            LIMIT,
            used,
            0,
            window + WINDOW,
            0,
            0,
            DeclaredBound.NOTHING,
            false,
            grants,
            List.of());
    return new QuotaSnapshot("a", 1, 0, sentNanos, now, List.of(answer));
  }

  static Rule strict(String id, List<String> key) {
    return Rule.of(new RuleId("posts", id), key, new FixedWindow(LIMIT, WINDOW))
        .withEnforcement(Enforcement.STRICT)
        .withVersion(1, 1);
  }
}
