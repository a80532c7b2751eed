package io.quotaenforcer.enforcer;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.http.Health;
import io.quotaenforcer.enforcer.logging.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class HealthLogTest {
  private static final long SECOND = 1_000_000_000L;

  @RegisterExtension final CapturedLog log = new CapturedLog(HealthLog.class);
  private Health health = new Health.Starting("restoring 3 of 16 partitions");
  private final HealthLog healthLog = new HealthLog(() -> health, () -> 16, 0);
  private long nanos;

  private void lookFor(int seconds) {
    for (int i = 0; i < seconds; i++) {
      nanos += SECOND;
      healthLog.look(nanos);
    }
  }

  @Test
  void ready_firstTime_isSaidOnce() {
    lookFor(6);
    health = new Health.Ready();
    lookFor(10);

    assertThat(log.said()).containsExactly("INFO ready 7.0 s after the start, with 16 partitions");
  }

  @Test
  void notReady_whichLasts_isSaidOnce_andItsEnd() {
    health = new Health.Ready();
    lookFor(1);
    health = new Health.Failing("no commit for 2.1 s");
    lookFor(10);
    health = new Health.Ready();
    lookFor(10);

    assertThat(log.said())
        .containsExactly(
            "INFO ready 1.0 s after the start, with 16 partitions",
            "WARN not ready, nothing is granted at some partitions or all: no commit for 2.1 s",
            "INFO ready again after 10.0 s, with 16 partitions");
  }

  @Test
  void notReady_forOneLook_isNotSaid() {
    health = new Health.Ready();
    lookFor(1);
    health = new Health.Starting("takeover: waiting for enforcer time, for 0.2 s more");
    lookFor(1);
    health = new Health.Ready();
    lookFor(1);

    assertThat(log.said()).hasSize(1);
  }

  @Test
  void start_thatTakesLong_isSaidOnce_withWhatIsMissing() {
    lookFor(200);

    assertThat(log.said())
        .containsExactly("WARN not ready 60.0 s after the start: restoring 3 of 16 partitions");
  }
}
