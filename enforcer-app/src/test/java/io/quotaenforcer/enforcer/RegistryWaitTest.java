package io.quotaenforcer.enforcer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.codec.CodecException.Reason;
import io.quotaenforcer.server.Health;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RegistryWaitTest {
  private final List<Health> meanwhile = new ArrayList<>();
  private final RegistryWait wait = new RegistryWait(length -> look());
  private int tries;

  private void look() {
    meanwhile.add(wait.health());
  }

  private String step(int timesAway, Reason reason) {
    if (tries++ < timesAway) {
      throw new CodecException(reason, "schema registry http://r: no answer");
    }
    return "done";
  }

  @Test
  void registryComesBack_stepIsDone_andHealthSaidWhatItWaitedFor() throws Exception {
    assertThat(wait.until(() -> step(3, Reason.REGISTRY_UNAVAILABLE))).isEqualTo("done");

    assertThat(meanwhile)
        .hasSize(3)
        .allSatisfy(
            health ->
                assertThat(health)
                    .isEqualTo(
                        new Health.Starting(
                            "waiting for the schema registry:"
                                + " schema registry http://r: no answer")));
  }

  @Test
  void registryIsAwayForLong_logHasOneLine() throws Exception {
    Logger log = (Logger) LoggerFactory.getLogger(RegistryWait.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.setLevel(Level.WARN);
    log.addAppender(lines);
    try {
      wait.until(() -> step(9, Reason.REGISTRY_UNAVAILABLE));
    } finally {
      log.detachAppender(lines);
    }

    assertThat(lines.list)
        .singleElement()
        .satisfies(line -> assertThat(line.getFormattedMessage()).contains("no answer"));
  }

  @Test
  void registryRefuses_stepFailsAtOnce() {
    assertThatThrownBy(() -> wait.until(() -> step(1, Reason.REGISTRY_REFUSED)))
        .isInstanceOf(CodecException.class);
    assertThat(meanwhile).isEmpty();
  }

  @Test
  void programEndsMeanwhile_waitEnds() {
    RegistryWait ending =
        new RegistryWait(
            length -> {
              throw new IllegalStateException("ending");
            });

    assertThatThrownBy(() -> ending.until(() -> step(9, Reason.REGISTRY_UNAVAILABLE)))
        .hasMessage("ending");
  }
}
