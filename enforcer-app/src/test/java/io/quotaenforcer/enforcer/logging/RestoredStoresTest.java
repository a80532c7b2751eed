package io.quotaenforcer.enforcer.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With the program's own configuration of the log. */
class RestoredStoresTest {
  private final LoggerContext log = new LoggerContext();
  private final ListAppender<ILoggingEvent> shown = new ListAppender<>();
  private final TaskCorruptedException corrupted =
      new TaskCorruptedException(Set.of(new TaskId(0, 3)));

  private Logger streams;

  @BeforeEach
  void configure() throws Exception {
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(log);
    configurator.doConfigure(Path.of("src", "main", "resources", "logback.xml").toFile());
    Logger root = log.getLogger(Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    root.addAppender(shown);
    shown.start();
    streams = log.getLogger("org.apache.kafka.streams.processor.internals.StreamThread");
  }

  @AfterEach
  void stop() {
    log.stop();
  }

  @Test
  void corruptedTasks_loggedSeveralTimes_areOneLineWithoutAStack() {
    streams.error("Encountered an error", corrupted);
    streams.warn("States of tasks {} are corrupted", corrupted.corruptedTasks(), corrupted);
    streams.error("{} {} {}", 1, 2, new StreamsException(corrupted));

    assertThat(shown.list).hasSize(1);
    ILoggingEvent event = shown.list.get(0);
    assertThat(event.getLevel()).isEqualTo(Level.WARN);
    assertThat(event.getThrowableProxy()).isNull();
    assertThat(event.getFormattedMessage())
        .isEqualTo(
            "the stores of tasks [0_3] do not agree with their changelog, as after an unclean stop;"
                + " they are wiped and restored");
  }

  @Test
  void singleTasks_beforeTheirThread_areNotLogged() {
    Logger manager = log.getLogger("org.apache.kafka.streams.processor.internals.TaskManager");
    manager.warn("State store {} did not find checkpoint offsets while stores are not empty", "a");
    manager.error("exceptions of tasks: {}", Map.of(new TaskId(0, 3), corrupted));
    manager.error("Task [0_3] is corrupted", corrupted);
    manager.error("others: {}", Map.of(new TaskId(0, 3), new StreamsException("disk")));

    assertThat(shown.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly("others: {0_3=org.apache.kafka.streams.errors.StreamsException: disk}");
  }

  @Test
  void corruptedTasks_ofAnotherException_areAnotherLine() {
    streams.error("first", corrupted);
    streams.error("second", new TaskCorruptedException(Set.of(new TaskId(0, 4))));

    assertThat(shown.list).hasSize(2);
  }

  @Test
  void otherErrors_areShownAsTheyAre() {
    StreamsException other = new StreamsException("disk");
    streams.error("a stream thread failed", other);
    streams.error("plain");
    streams.error("with {}", "a parameter");

    assertThat(shown.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly("a stream thread failed", "plain", "with a parameter");
    assertThat(shown.list.get(0).getThrowableProxy()).isNotNull();
  }

  @Test
  void corruptedTasks_withDebugOutput_areShownInFull() {
    streams.setLevel(Level.DEBUG);
    streams.error("Encountered an error", corrupted);

    assertThat(shown.list).singleElement().matches(event -> event.getThrowableProxy() != null);
  }
}
