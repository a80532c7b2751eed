package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.message.ExhaustedQuota;
import org.junit.jupiter.api.Test;

class ExhaustedKeysTest {
  private static ExhaustedQuota until(long nanos) {
    return new ExhaustedQuota(1, nanos, 0, 0);
  }

  @Test
  void of_whatWasToldLast() {
    ExhaustedKeys keys = new ExhaustedKeys(10);
    assertThat(keys.of(key("rule", "a"))).isNull();
    keys.add(key("rule", "a"), until(100), 0);
    keys.add(key("rule", "a"), until(200), 0);

    assertThat(keys.of(key("rule", "a"))).isEqualTo(until(200));
  }

  @Test
  void add_whatIsOver_isForgotten() {
    ExhaustedKeys keys = new ExhaustedKeys(10);
    keys.add(key("rule", "a"), until(100), 0);
    keys.add(key("rule", "a"), until(100), 100);

    assertThat(keys.of(key("rule", "a"))).isNull();
  }

  @Test
  void sweep_dropsWhatIsOver() {
    ExhaustedKeys keys = new ExhaustedKeys(10);
    keys.add(key("rule", "a"), until(100), 0);
    keys.add(key("rule", "b"), new ExhaustedQuota(1, 100, 3, 300), 0);
    keys.sweep(of -> 200);

    assertThat(keys.of(key("rule", "a"))).isNull();
    assertThat(keys.of(key("rule", "b"))).isNotNull();
  }

  @Test
  void add_oneKeyAgainAndAgain_keepsOthers() {
    ExhaustedKeys keys = new ExhaustedKeys(3);
    keys.add(key("rule", "a"), until(100), 0);
    for (int i = 0; i < 4; i++) {
      keys.add(key("rule", "b"), until(100 + i), 0);
    }

    assertThat(keys.of(key("rule", "a"))).isNotNull();
    assertThat(keys.of(key("rule", "b"))).isEqualTo(until(103));
  }

  @Test
  void add_aMillionAbusedKeys_theNewestAreRemembered() {
    int remembered = 100_000;
    ExhaustedKeys keys = new ExhaustedKeys(remembered);
    for (int i = 0; i < 1_000_000; i++) {
      keys.add(key("rule", "u" + i), new ExhaustedQuota(1, 0, 0, 1_000), 0);
    }

    assertThat(keys.size()).isEqualTo(remembered);
    assertThat(keys.of(key("rule", "u999999"))).isNotNull();
    assertThat(keys.of(key("rule", "u900000"))).isNotNull();
    assertThat(keys.of(key("rule", "u899999"))).as("the oldest").isNull();
  }
}
