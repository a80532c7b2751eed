package io.quotaenforcer.enforcer;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.logging.CapturedLog;
import io.quotaenforcer.server.Health;
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
    lookFor(2);
    health = new Health.Ready();
    lookFor(10);

    assertThat(log.said()).containsExactly("INFO ready 3.0 s after the start, with 16 partitions");
  }

  @Test
  void standstill_isSaid_withItsLength() {
    health = new Health.Ready();
    lookFor(1);
    nanos += 4 * SECOND;
    lookFor(1);
    assertThat(log.said()).hasSize(1);
    nanos += 19 * SECOND;
    lookFor(2);
    assertThat(log.said())
        .hasSize(2)
        .last()
        .isEqualTo(
            "WARN this process stood still for 20.0 s: it was paused, or had no processor; others"
                + " may have its partitions");
  }

  @Test
  void start_saysWhatItWaitsFor_onceEach_whateverTheNumbers() {
    lookFor(4);
    health = new Health.Starting("restoring 2 of 16 partitions");
    lookFor(4);
    health = new Health.Starting("takeover: waiting for enforcer time, for 2.5 s more");
    lookFor(3);
    health = new Health.Starting("restoring 1 of 16 partitions");
    lookFor(9);

    assertThat(log.said())
        .containsExactly(
            "INFO waiting, 3.0 s after the start: restoring 3 of 16 partitions",
            "INFO waiting, 11.0 s after the start: takeover: waiting for enforcer time, for 2.5 s"
                + " more");
  }

  @Test
  void notReady_forAnotherReasonThanWasSaid_saysThatToo() {
    health = new Health.Ready();
    lookFor(1);
    health = new Health.Failing("no commit for 2.1 s");
    lookFor(4);
    health = new Health.Starting("restoring 3 of 16 partitions");
    lookFor(9);

    assertThat(log.said().subList(1, 3))
        .containsExactly(
            "WARN not ready, nothing is granted at some partitions or all: no commit for 2.1 s",
            "INFO still not ready, after 6.0 s: restoring 3 of 16 partitions");
    assertThat(log.said()).hasSize(3);
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
        .containsExactly(
            "INFO waiting, 3.0 s after the start: restoring 3 of 16 partitions",
            "WARN not ready 60.0 s after the start: restoring 3 of 16 partitions");
  }
}
