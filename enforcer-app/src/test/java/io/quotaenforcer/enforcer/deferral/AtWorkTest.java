package io.quotaenforcer.enforcer.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

class AtWorkTest {
  private static final Rule RULE =
      Rule.of(new RuleId("test", "rule"), List.of("user"), new FixedWindow(10, 1_000_000_000L));
  private static final QuotaKey ALICE = key("alice");
  private static final QuotaKey BOB = key("bob");
  private static final QuotaKey CAROL = key("carol");

  private final AtWork atWork = new AtWork(1);
  private final AllotmentBook book = new AllotmentBook(BookSettings.ofQueues(), 10, 0);

  @Test
  void queueTimedTwice_isReadyOnce_atTheEarlierTime() {
    atWork.add(ALICE);
    assertThat(atWork.next()).contains(ALICE);

    atWork.readyAt(20, ALICE);
    atWork.readyAt(10, ALICE);
    atWork.readyAt(30, ALICE);

    atWork.wakeTimed(9);
    assertThat(atWork.next()).isEmpty();
    assertThat(atWork.isTimed(ALICE)).isTrue();
    atWork.wakeTimed(10);
    assertThat(atWork.next()).contains(ALICE);
    assertThat(atWork.isTimed(ALICE)).isFalse();
    atWork.wakeTimed(100);
    assertThat(atWork.next()).isEmpty();
  }

  @Test
  void queueThatWasRemoved_isNotReady_whateverItWasTimedFor() {
    atWork.add(ALICE);
    atWork.readyAt(10, ALICE);
    atWork.remove(ALICE);

    atWork.wakeTimed(100);
    assertThat(atWork.next()).isEmpty();

    atWork.add(ALICE);
    assertThat(atWork.isTimed(ALICE)).isFalse();
  }

  @Test
  void queuesAskOneAfterTheOther_andThoseThatHavePermitsAreServedFirst() {
    atWork.add(ALICE);
    atWork.add(BOB);
    atWork.add(CAROL);
    assertThat(atWork.next()).contains(ALICE);
    ask(ALICE);
    assertThat(atWork.next()).as("one asks").isEmpty();

    atWork.ready(ALICE);
    assertThat(atWork.next()).as("it is answered").contains(ALICE);
    atWork.letAnotherAsk(ALICE);
    assertThat(atWork.next()).contains(BOB);
    ask(BOB);

    atWork.ready(ALICE);
    assertThat(atWork.next()).as("it asks no more").contains(ALICE);
    atWork.remove(BOB);
    assertThat(atWork.next()).contains(CAROL);
  }

  private void ask(QuotaKey key) {
    atWork.permits(key, new AtWork.Held(book.queue(RULE, key), 0));
  }

  private static QuotaKey key(String user) {
    return QuotaKey.of(new RuleId("test", "rule"), List.of(user));
  }
}
