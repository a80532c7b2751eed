package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AnnouncementPaceTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long NOW = 1_700_000_000L * SECOND;

  private final AnnouncementPace pace = new AnnouncementPace();

  @Test
  void announcements_atOnce_areAThousand_thenAHundredASecond() {
    assertThat(announced(NOW, 5_000)).isEqualTo(AnnouncementPace.AT_ONCE);
    assertThat(announced(NOW + SECOND, 5_000)).isEqualTo(AnnouncementPace.PER_SECOND);
  }

  @Test
  void announcements_clockStandsStill_areNoMore() {
    announced(NOW, 5_000);
    assertThat(announced(NOW - SECOND, 10)).isZero();
  }

  private int announced(long now, int wanted) {
    int announced = 0;
    for (int i = 0; i < wanted; i++) {
      announced += pace.mayAnnounce(now) ? 1 : 0;
    }
    return announced;
  }
}
