package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A few permits need not be told at once where much is left. */
class KeyPaceWaitTest {
  private static final long REPORTED = 7;

  private final LookedAtKey key = new LookedAtKey();
  private KeyPace pace;

  /** Has reported a tenth of a second ago, which was answered. */
  private void reported() {
    pace = new KeyPace(key.settings, key.demand);
    key.now -= SECOND / 10;
    pace.reported(key.judged(), REPORTED, false);
    pace.reports().answered(key.now);
    key.now += SECOND / 10;
  }

  private boolean waits(long untold) {
    reported();
    return !pace.isDue(key.judged(), REPORTED + untold, false, false);
  }

  /** One permit of 40 that are left to ten instances, each of which may use one. */
  private LookedAtKey oneOfForty() {
    key.left(40).openable = 4;
    return key;
  }

  @Test
  void onePermit_waitsUntilTheKeyGivesBackWhatItHolds_butNoLonger() {
    oneOfForty();
    assertThat(waits(1)).isTrue();

    key.now += 1_720 * MILLI - 1;
    assertThat(pace.isDue(key.judged(), REPORTED + 1, false, false)).isFalse();
    key.now++;
    assertThat(pace.isDue(key.judged(), REPORTED + 1, false, false)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 40, true", "1, 39, false",
    "2, 80, true", "2, 79, false",
    "4, 160, true", "5, 1000, false"
  })
  void permits_wait_ifAsManyOfEachInstanceLeaveThreeQuarters(long untold, long left, boolean wait) {
    key.left(left).openable = 1_000;
    assertThat(waits(untold)).isEqualTo(wait);
  }

  @ParameterizedTest
  @CsvSource({"4, true", "3, false"})
  void permit_waits_ifFourTimesAsMuchMayBeOpened(long openable, boolean wait) {
    key.left(40).openable = openable;
    assertThat(waits(1)).isEqualTo(wait);
  }

  /** 36 are expected in the 60 ms until a later report is answered. */
  @ParameterizedTest
  @CsvSource({"37, true", "36, false"})
  void permit_waits_ifWhatIsHeldIsEnough(long leased, boolean wait) {
    key.asks(600).left(40).leased(leased);
    assertThat(waits(1)).isEqualTo(wait);
  }

  @Test
  void permit_heldIsEnough_butItsLeaseEnds_isTold() {
    key.left(40).leased(10, key.now + 100 * MILLI);
    assertThat(waits(1)).isFalse();
  }

  @Test
  void permit_heldIsEnough_butTheKeyWasOpened_isTold() {
    key.left(40).leased(10).opens = true;
    assertThat(waits(1)).isFalse();
  }

  static List<Consumer<LookedAtKey>> thoseWhoTell() {
    return List.of(
        key -> key.answer = null,
        key -> key.scarce(40),
        key -> key.idleFrom = key.now,
        key -> key.retired = true,
        key -> key.unmet.refuse(2, 100),
        key -> key.unmet.await(1),
        key -> key.rule = key.rule.withClasses(new DemandClasses(List.of(all()))));
  }

  private static DemandClass all() {
    return new DemandClass("all", Map.of(), 0, DemandClass.WHOLE);
  }

  @ParameterizedTest
  @MethodSource("thoseWhoTell")
  void permit_othersMayLackIt_orTheKeyDoes_isTold(Consumer<LookedAtKey> change) {
    oneOfForty();
    change.accept(key);
    assertThat(waits(1)).isFalse();
  }

  @Test
  void permit_shareHasNewTerms_isTold() {
    oneOfForty().shared(10);
    assertThat(waits(1)).isTrue();
    key.newTerms();
    assertThat(pace.isDue(key.judged(), REPORTED + 1, false, false)).isTrue();
  }

  @Test
  void permit_demandHasFallen_isTold() {
    oneOfForty().asks(1_000).shared(100);
    assertThat(waits(1)).isTrue();
    key.asks(0, SECOND / 4);
    assertThat(pace.isDue(key.judged(), REPORTED + 1, false, false)).isTrue();
  }
}
