package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.message.ExhaustedQuota;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Beside a map that holds all that was ever told. */
class ExhaustedKeysModelTest {
  private static QuotaKey key(int number) {
    return QuotaKey.parse(new RuleId("d", "r") + "/" + number);
  }

  private static boolean isOver(ExhaustedQuota quota, long now) {
    return Math.max(quota.untilNanos(), quota.abusedUntilNanos()) <= now;
  }

  @Test
  void anyAnnouncements_fewKeys_areAllKnown_untilTheyAreOver() {
    Seeded.check(
        500,
        random -> {
          ExhaustedKeys keys = new ExhaustedKeys(100);
          Map<QuotaKey, ExhaustedQuota> model = new LinkedHashMap<>();
          long now = 1_000;
          for (int i = 0; i < 200; i++) {
            now += random.nextLong(20);
            long clock = now;
            if (random.nextInt(10) == 0) {
              keys.sweep(key -> clock);
              model.values().removeIf(quota -> isOver(quota, clock));
              assertThat(keys.size()).isEqualTo(model.size());
            }
            QuotaKey key = key(random.nextInt(20));
            long until = now + random.nextLong(-10, 100);
            long abused = random.nextInt(4) == 0 ? now + random.nextLong(-10, 200) : 0;
            ExhaustedQuota quota = new ExhaustedQuota(1, until, 5, abused);
            keys.add(key, quota, now);
            if (isOver(quota, now)) {
              model.remove(key);
            } else {
              model.put(key, quota);
            }
            for (int number = 0; number < 20; number++) {
              assertThat(keys.of(key(number))).isEqualTo(model.get(key(number)));
            }
          }
        });
  }

  @Test
  void anyAnnouncements_moreKeysThanAreRemembered_theNewestAre_andNeverMore() {
    Seeded.check(
        200,
        random -> {
          int capacity = 1 + random.nextInt(10);
          ExhaustedKeys keys = new ExhaustedKeys(capacity);
          for (int i = 0; i < 300; i++) {
            QuotaKey key = key(random.nextInt(50));
            ExhaustedQuota quota = new ExhaustedQuota(i, 1_000_000, 5, 0);
            keys.add(key, quota, 0);
            assertThat(keys.size()).isBetween(1, capacity);
            assertThat(keys.of(key)).as("the newest").isEqualTo(quota);
          }
        });
  }
}
