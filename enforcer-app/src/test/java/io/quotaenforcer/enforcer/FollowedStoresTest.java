package io.quotaenforcer.enforcer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FollowedStoresTest {
  private static final Duration A_DAY = Duration.ofHours(25);

  @TempDir Path folder;
  private final AtomicLong epochMillis = new AtomicLong(1_700_000_000_000L);
  private final AtomicLong emptied = new AtomicLong();
  private final AtomicBoolean follow = new AtomicBoolean(true);

  private FollowedStores begin() {
    StoreAge age = new StoreAge(folder, "quota", epochMillis::get);
    return FollowedStores.begin(age, emptied::incrementAndGet, follow::get);
  }

  private void passes(Duration time) {
    epochMillis.addAndGet(time.toMillis());
  }

  /** An entitlement that was taken back meanwhile is in no record any more. */
  @Test
  void stores_leftForADay_areReadAnew_once() {
    begin();
    passes(A_DAY);
    begin();
    assertThat(emptied).hasValue(1);

    begin();
    assertThat(emptied).hasValue(1);
  }

  @Test
  void stores_ofAnEnforcerThatStartsAgainSoon_stay_howeverLongItRan() {
    FollowedStores stores = begin();
    for (Duration ran = Duration.ZERO; ran.compareTo(A_DAY) < 0; ran = ran.plusHours(1)) {
      passes(Duration.ofHours(1));
      stores.look();
    }
    passes(Duration.ofHours(1));
    begin();

    assertThat(emptied).hasValue(0);
  }

  /** It runs, but no broker can be reached: its copies of a partition do not follow. */
  @Test
  void stores_thatDidNotFollowForADay_areReadAnewAtTheNextStart() {
    FollowedStores stores = begin();
    follow.set(false);
    passes(A_DAY);
    stores.look();
    follow.set(true);
    stores.look();
    begin();

    assertThat(emptied).hasValue(1);
  }
}
