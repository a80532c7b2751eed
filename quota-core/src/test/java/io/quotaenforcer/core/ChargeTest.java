package io.quotaenforcer.core;

import static io.quotaenforcer.core.RuleDecisions.full;
import static io.quotaenforcer.core.RuleDecisions.room;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChargeTest {
  private static final Decision ADMITTED = Decision.Admitted.by(List.of(room("a", 1)));

  private final List<String> settled = new ArrayList<>();

  private Charge charge() {
    return new Charge(ADMITTED, 8, (ending, now) -> settled.add(ending.actual() + "@" + now));
  }

  @Test
  void charge_saysWhatWasDecidedAndTaken() {
    assertThat(charge().decision()).isSameAs(ADMITTED);
    assertThat(charge().charged()).isEqualTo(8);
  }

  @Test
  void settle_once_correctsWhatWasTaken() {
    assertThat(charge().settle(3, 17)).isTrue();

    assertThat(settled).containsExactly("3@17");
  }

  @Test
  void settle_byHowItTurnedOut_isHeardAsSaid() {
    List<Ending> heard = new ArrayList<>();
    Charge charge = new Charge(ADMITTED, 8, (ending, now) -> heard.add(ending));
    Ending ending = new Ending.Told(3, Map.of("status", "401"));

    assertThat(charge.settle(ending, 17)).isTrue();
    assertThat(charge.settle(new Ending.Abandoned(), 17)).isFalse();
    assertThat(heard).containsExactly(ending);
  }

  @Test
  void settle_again_changesNothing() {
    Charge charge = charge();
    charge.settle(3, 17);

    assertThat(charge.settle(5, 18)).isFalse();
    assertThat(charge.settle(3, 17)).isFalse();
    assertThat(settled).containsExactly("3@17");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 8, 9, PermitCount.MAX_COST})
  void settle_anyCostThatARequestCanHave_isTaken(long actual) {
    assertThat(charge().settle(actual, 1)).isTrue();
    assertThat(settled).containsExactly(actual + "@1");
  }

  @ParameterizedTest
  @CsvSource({
    "-1, must be >= 0: actual=-1",
    "-9223372036854775808, must be >= 0: actual=-9223372036854775808",
    "1000000000001, must be <= 1000000000000: actual=1000000000001",
    "9223372036854775807, must be <= 1000000000000: actual=9223372036854775807"
  })
  void settle_costThatNoRequestHas_isRefusedAndMayBeSaidAgain(long actual, String message) {
    Charge charge = charge();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> charge.settle(actual, 1))
        .withMessage(message);

    assertThat(settled).isEmpty();
    assertThat(charge.settle(2, 1)).as("a wrong cost settles nothing").isTrue();
  }

  @Test
  void nothing_ofAThrottledRequest_tookNothingAndSettlesOnce() {
    Decision throttled = new Decision.Throttled(full("a", 1));
    Charge charge = Charge.nothing(throttled);

    assertThat(charge.decision()).isSameAs(throttled);
    assertThat(charge.charged()).isZero();
    assertThat(charge.settle(5, 1)).isTrue();
    assertThat(charge.settle(5, 1)).isFalse();
  }

  @Test
  void settle_byManyThreadsAtOnce_isOneOfThem() throws InterruptedException {
    for (int round = 0; round < 200; round++) {
      AtomicInteger corrections = new AtomicInteger();
      AtomicInteger wins = new AtomicInteger();
      Charge charge = new Charge(ADMITTED, 8, (ending, now) -> corrections.incrementAndGet());
      CountDownLatch start = new CountDownLatch(1);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        long actual = i;
        Thread thread =
            new Thread(
                () -> {
                  awaitUninterruptibly(start);
                  if (charge.settle(actual, 1)) {
                    wins.incrementAndGet();
                  }
                });
        thread.start();
        threads.add(thread);
      }
      start.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(wins).as("round %d", round).hasValue(1);
      assertThat(corrections).hasValue(1);
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
