package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.core.HeldSlots;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Slots of one key of a concurrency limit, of which two were granted. */
class SlotsOfAKeyTest {
  private static final Limit TWO = new ConcurrencyLimit(2, 10 * SECOND);
  private static final Rule RULE = strict(TWO);

  private final TestBook client = new TestBook(RULE);
  private final KeyPermits permits = granted();

  private KeyPermits granted() {
    KeyPermits asked = permits();
    assertThat(asked.enter(1, client.now)).as("nothing is granted").isNull();
    client.granted(client.grant(TWO, 5, 2));
    return asked;
  }

  private KeyPermits permits() {
    return client.book.permits(RULE, key("rule", "42"));
  }

  private long now() {
    return client.now;
  }

  private List<Predicate<KeyPermits>> decisions() {
    return List.of(
        of -> of.tryAcquire(2, now()),
        of -> of.decide(2, now()).admitted(),
        of -> {
          of.charge(2, now());
          return true;
        });
  }

  @Test
  void decisionOfWhichNobodySaysWhenItEnds_holdsNoSlots() {
    for (Predicate<KeyPermits> decision : decisions()) {
      for (KeyPermits of : new KeyPermits[] {permits, permits()}) {
        assertThat(decision.test(of)).isTrue();
        assertThat(decision.test(of)).isTrue();
      }
    }
  }

  @Test
  void slotsThatAreHeld_areNobodyElses_untilTheyAreGivenBack() {
    HeldSlots held = permits().enter(2, now());
    assertThat(held).isInstanceOf(SlotCell.class);
    for (KeyPermits of : new KeyPermits[] {permits, permits()}) {
      assertThat(of.enter(1, now())).isNull();
      assertThat(of.tryAcquire(1, now())).isFalse();
      assertThat(of.decide(1, now()).admitted()).isFalse();
    }
    assertThat(permits.leave(held, 2)).isFalse();
    assertThat(permits.enter(2, now())).isNotNull();
  }

  @Test
  void chargeOfSlotsThatAreNotThere_isNotOwed() {
    permits.enter(2, now());
    permits.charge(1, now());
    assertThat(permits.decide(1, now()).rule().orElseThrow().owed()).isZero();
  }

  @Test
  void shadow_letsIn_withoutSlots() {
    client.apply(RULE.withMode(Mode.SHADOW).withVersion(2, 1));
    HeldSlots first = permits.enter(2, now());
    assertThat(first).isInstanceOf(SlotCell.class);
    assertThat(permits.enter(2, now())).isSameAs(HeldSlots.NONE);
    assertThat(permits.leave(HeldSlots.NONE, 2)).isFalse();
    assertThat(permits.enter(2, now())).as("none came back").isSameAs(HeldSlots.NONE);
  }

  @Test
  void ruleThatCountsOtherwiseNow_isFollowed_andOldSlotsAreGivenBack() {
    HeldSlots held = permits.enter(1, now());
    client.apply(RULE.withVersion(2, 2));
    client.reports();
    assertThat(permits.enter(1, now())).as("of the new count none is granted").isNull();
    client.answer().of(key("rule", "42"), 2).grants(client.grant(TWO, 6, 1)).send();
    assertThat(permits.tryAcquire(1, now())).isTrue();
    HeldSlots other = permits.enter(1, now());
    assertThat(other).isInstanceOf(SlotCell.class).isNotSameAs(held);

    assertThat(permits.leave(held, 1)).isFalse();
    assertThat(permits.enter(1, now())).as("it was another rule's").isNull();
    assertThat(permits.leave(other, 1)).isFalse();
    assertThat(permits.enter(1, now())).isSameAs(other);
  }

  @Test
  void permitsOfAnotherLimit_areNotGivenBack() {
    Limit window = new FixedWindow(2, 10 * SECOND);
    TestBook other = new TestBook(strict(window));
    KeyPermits of = other.book.permits(strict(window), key("rule", "42"));
    of.enter(1, other.now);
    other.granted(other.grant(window, 5, 2));
    assertThat(of.enter(2, other.now)).isSameAs(HeldSlots.NONE);
    assertThat(of.leave(HeldSlots.NONE, 2)).isFalse();
    assertThat(of.enter(1, other.now)).isNull();
    other.passes(20 * MILLI);
    assertThat(other.openCell(5).used()).isEqualTo(2);
  }

  static List<Consumer<KeyPermits>> withoutPermits() {
    return List.of(
        of -> of.tryAcquire(0, 0),
        of -> of.decide(0, 0),
        of -> of.charge(0, 0),
        of -> of.enter(0, 0));
  }

  @ParameterizedTest
  @MethodSource("withoutPermits")
  void noPermits_areNotDecided(Consumer<KeyPermits> decision) {
    assertThatIllegalArgumentException().isThrownBy(() -> decision.accept(permits));
  }
}
