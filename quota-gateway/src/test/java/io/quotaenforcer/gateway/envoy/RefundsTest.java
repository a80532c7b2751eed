package io.quotaenforcer.gateway.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.Reservation;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.RuleId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefundsTest {
  private static final RuleId RULE = RuleId.parse("domain/rule");

  /** Names of reservations that have ended, each with the permits that stay taken. */
  private final List<String> ended = new ArrayList<>();

  private void take(Refunds refunds, String key, String name, long permits) {
    Reservation reservation =
        Reservation.of(new Decision.Unmatched(), permits, actual -> ended.add(name + " " + actual));
    refunds.took(RULE, List.of(key), reservation, permits);
  }

  private static Refunds asked(int mostKept, long mostChars) {
    Refunds refunds = new Refunds(mostKept, mostChars);
    refunds.refund(RULE, List.of("never"), 1);
    return refunds;
  }

  @Test
  void rule_ofWhichNoRefundWasAsked_keepsNothing() {
    Refunds refunds = new Refunds();
    take(refunds, "key", "a", 3);

    assertThat(ended).containsExactly("a 3");
  }

  @Test
  void refund_isOfTheNewest_andOfNoMoreThanWasTaken() {
    Refunds refunds = asked(10, 100);
    take(refunds, "key", "a", 5);
    take(refunds, "other", "o", 5);
    take(refunds, "key", "b", 2);
    assertThat(ended).isEmpty();

    refunds.refund(RULE, List.of("key"), 3);
    assertThat(ended).containsExactly("b 0", "a 4");
    refunds.refund(RULE, List.of("key"), 3);
    assertThat(ended).hasSize(2);
  }

  @Test
  void beyondTheNumber_theOldestStaysTaken() {
    Refunds refunds = asked(2, 100);
    take(refunds, "one", "a", 5);
    take(refunds, "two", "b", 5);
    take(refunds, "one", "c", 5);
    assertThat(ended).containsExactly("a 5");

    refunds.refund(RULE, List.of("one"), 100);
    refunds.refund(RULE, List.of("two"), 100);
    assertThat(ended).containsExactly("a 5", "c 0", "b 0");
  }

  @Test
  void beyondTheCharacters_theOldestStayTaken_whateverTheirNumber() {
    Refunds refunds = asked(100, 10);
    take(refunds, "aaaa", "a", 5);
    take(refunds, "bbbb", "b", 5);
    take(refunds, "cc", "c", 5);
    assertThat(ended).isEmpty();
    take(refunds, "ddddd", "d", 5);
    assertThat(ended).containsExactly("a 5", "b 5");

    refunds.refund(RULE, List.of("cc"), 5);
    take(refunds, "eeeee", "e", 5);
    assertThat(ended).containsExactly("a 5", "b 5", "c 0");
  }

  @Test
  void key_longerThanAllTogetherMayBe_isNotKept() {
    Refunds refunds = asked(100, 10);
    take(refunds, "x".repeat(11), "x", 5);

    assertThat(ended).containsExactly("x 5");
    take(refunds, "y", "y", 5);
    assertThat(ended).hasSize(1);
  }
}
