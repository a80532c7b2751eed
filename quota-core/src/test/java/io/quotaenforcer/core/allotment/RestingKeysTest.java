package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.settings;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Rule;
import org.junit.jupiter.api.Test;

/** Keys that hold nothing are put aside, and go on from there. */
class RestingKeysTest {
  private static final Limit LIMIT = new FixedWindow(100, 10 * SECOND);
  private static final Rule RULE = balanced(LIMIT);
  private static final QuotaKey KEY = key("rule", "42");

  private final BookSettings settings = BookSettings.defaults();
  private long now = TestBook.START;
  private final KeyAllotment allotment =
      new KeyAllotment(
          new BookContext(settings, TestBook.MAX_INSTANCES, new KeyHash(1, 2)),
          KEY,
          new KeyStart(
              KeyTerms.of(KEY, RULE),
              new PartitionLink(settings, TestBook.OFFSET),
              Origin.forgotten(Long.MIN_VALUE, Long.MIN_VALUE),
              now));

  @Test
  void rest_keyWithAnOpenCell_isRefused() {
    allotment.tryTake(1, 0, now);
    now += 10 * SECOND;

    assertThat(allotment.rest(now)).isNull();
    assertThat(allotment.isRetired()).isFalse();
  }

  @Test
  void rest_keyThatHoldsNothing_keepsHowFarItIsOpenAndTakesNoMore() {
    now += 10 * SECOND;

    DormantKey rest = allotment.rest(now);

    assertThat(rest).isNotNull();
    assertThat(rest.opening()).isEqualTo(new OpeningState(100, now + TestBook.OFFSET, 0, 0, 0));
    assertThat(rest.answer()).isNull();
    assertThat(rest.lastAskedNanos())
        .as("the request that the key begins with is to be noted")
        .isEqualTo(TestBook.START - 1_000_000);
    assertThat(rest.usedUntilNanos())
        .as("a millisecond more, since requests are noted as seldom")
        .isEqualTo(TestBook.START + LIMIT.periodNanos());
    assertThat(allotment.isRetired()).isTrue();
    assertThat(allotment.rested()).isSameAs(rest);
    assertThat(allotment.tryTake(1, 0, now + 100 * SECOND)).isNull();
  }

  @Test
  void rest_keyThatWasJustAskedFor_isRefused() {
    now += 10 * SECOND;
    allotment.tryTake(1, 0, now);

    assertThat(allotment.rest(now)).isNull();
  }

  @Test
  void rest_keyThatOwes_isRefused() {
    allotment.owe(500, now);
    now += 10 * SECOND;

    assertThat(allotment.rest(now)).isNull();
  }

  @Test
  void restedKey_askedAgain_knowsHowItsQuotaStoodAndHowFarItIsOpen() {
    TestBook client = new TestBook(RULE);
    client.admits();
    client.reports();
    for (int i = 0; i < 5 && client.book.size() > 0; i++) {
      client.ticks(900 * MILLI);
      Long[] settled = {-1L, -2L};
      client.answer().used(40).remaining(60).opening(60).settled(settled).send();
    }
    assertThat(client.book.size()).isZero();

    RuleDecision decision = client.decision();

    assertThat(decision.known()).isTrue();
    assertThat(decision.hadRoom()).isTrue();
    assertThat(client.admitted(100)).isEqualTo(59);
    assertThat(client.book.size()).isOne();
  }

  @Test
  void restedKey_askedAgain_asksForPermitsAndGetsThem() {
    TestBook client = new TestBook(strict(LIMIT));
    client.admits();
    client.granted(client.grant(LIMIT, 5, 10));
    client.admitted(3);
    client.answeredTicks(5 * SECOND, client.grant(LIMIT, 5, 10));
    assertThat(client.admits()).isFalse();
    client.passes(5 * MILLI);
    CellGrant more = client.grant(LIMIT, 6, 10);

    client.granted(more);

    assertThat(client.admitted(20)).isEqualTo(10);
  }

  @Test
  void restedKey_answerToAReportFromBefore_grantsNothing() {
    TestBook client = new TestBook(strict(LIMIT));
    client.admits();
    client.granted(client.grant(LIMIT, 5, 10));
    long before = client.now;
    client.answeredTicks(5 * SECOND, client.grant(LIMIT, 5, 10));
    client.admits();

    client.answer().grants(client.grant(LIMIT, 7, 10)).to(before).send();

    assertThat(client.admitted(20)).isZero();
  }

  @Test
  void restedKey_ruleCountsAnew_knowsNothing() {
    TestBook client = new TestBook(RULE);
    client.admits();
    client.reports();
    client.answer().used(40).remaining(60).send();
    client.answeredTicks(5 * SECOND);

    client.apply(balanced(new FixedWindow(100, 20 * SECOND)).withVersion(2, 2));

    assertThat(client.decision().known()).isFalse();
  }

  @Test
  void restedKeys_roomIsShort_makeRoomForOthers() {
    TestBook client = new TestBook(settings(60 * SECOND, 4), strict(LIMIT));
    for (int user = 0; user < 4; user++) {
      client.decide("user-" + user, 1);
    }
    assertThat(client.book.size()).isEqualTo(4);
    assertThat(client.decide("another", 1).rule().orElseThrow().known()).isFalse();
    assertThat(client.book.size()).isEqualTo(4);

    answerAll(client, 10 * SECOND);
    assertThat(client.book.size()).isZero();
    client.decide("another", 1);

    assertThat(client.book.size()).as("long before they are forgotten").isOne();
  }

  private static void answerAll(TestBook client, long nanos) {
    long end = client.now + nanos;
    while (client.now < end) {
      client.passes(5 * MILLI);
      for (QuotaUsage usage : client.reports()) {
        Long[] closed = TestBook.closed(usage.cells()).toArray(Long[]::new);
        client.answer().of(usage.quotaKey(), 1).settled(closed).send();
      }
    }
  }

  @Test
  void keptRequest_ofAKeyThatRested_isCountedByTheNewObject() {
    TestBook client = new TestBook(strict(LIMIT));
    Request kept = Request.of("user", "42");
    for (int i = 0; i < 3; i++) {
      assertThat(client.book.tryAcquire(kept, client.now)).isFalse();
    }
    client.answeredTicks(5 * SECOND);
    assertThat(client.book.tryAcquire(kept, client.now)).isFalse();
    client.passes(5 * MILLI);

    client.granted(client.grant(LIMIT, 6, 2));

    assertThat(client.book.tryAcquire(kept, client.now)).isTrue();
    assertThat(client.book.decide(kept, client.now).admitted()).isTrue();
    assertThat(client.book.tryAcquire(kept, client.now)).isFalse();
  }
}
