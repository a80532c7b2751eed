package io.quotaenforcer.enforcer;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.quotaenforcer.enforcer.http.Health;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class HealthLogTest {
  private static final long SECOND = 1_000_000_000L;

  private final Logger logger = (Logger) LoggerFactory.getLogger(HealthLog.class.getName());
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private Health health = new Health.Starting("restoring 3 of 16 partitions");
  private final HealthLog healthLog = new HealthLog(() -> health, () -> 16, 0);
  private long nanos;

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
    logger.setLevel(Level.INFO);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(log);
    logger.setLevel(null);
  }

  private void lookFor(int seconds) {
    for (int i = 0; i < seconds; i++) {
      nanos += SECOND;
      healthLog.look(nanos);
    }
  }

  private List<String> said() {
    return log.list.stream()
        .map(line -> line.getLevel() + " " + line.getFormattedMessage())
        .toList();
  }

  @Test
  void ready_firstTime_isSaidOnce() {
    lookFor(6);
    health = new Health.Ready();
    lookFor(10);

    assertThat(said()).containsExactly("INFO ready 7.0 s after the start, with 16 partitions");
  }

  @Test
  void notReady_whichLasts_isSaidOnce_andItsEnd() {
    health = new Health.Ready();
    lookFor(1);
    health = new Health.Failing("no commit for 2.1 s");
    lookFor(10);
    health = new Health.Ready();
    lookFor(10);

    assertThat(said())
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

    assertThat(said()).hasSize(1);
  }

  @Test
  void start_thatTakesLong_isSaidOnce_withWhatIsMissing() {
    lookFor(200);

    assertThat(said())
        .containsExactly("WARN not ready 60.0 s after the start: restoring 3 of 16 partitions");
  }
}
