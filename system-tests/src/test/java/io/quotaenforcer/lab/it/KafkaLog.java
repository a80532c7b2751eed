package io.quotaenforcer.lab.it;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Log of a client and its Kafka clients at INFO, without any configuration. */
final class KafkaLog implements AutoCloseable {
  private static final List<String> LOGGERS =
      List.of("org.apache.kafka", "io.quotaenforcer.client");

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Map<Logger, Level> before = new ConcurrentHashMap<>();
  private final Appender appender;

  private KafkaLog() {
    appender = new Appender();
    appender.setContext(
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).getLoggerContext());
    appender.start();
    for (String name : LOGGERS) {
      Logger logger = (Logger) LoggerFactory.getLogger(name);
      before.put(logger, logger.getEffectiveLevel());
      logger.setLevel(Level.INFO);
      logger.setAdditive(false);
      logger.addAppender(appender);
    }
  }

  /** From now on. */
  static KafkaLog open() {
    return new KafkaLog();
  }

  /** Lines from the threads and Kafka clients of one instance. */
  List<String> lines(String instance) {
    return lines.stream().filter(line -> line.contains(instance)).toList();
  }

  @Override
  public void close() {
    before.forEach(
        (logger, level) -> {
          logger.detachAppender(appender);
          logger.setAdditive(true);
          logger.setLevel(level);
        });
  }

  private final class Appender extends AppenderBase<ILoggingEvent> {
    @Override
    protected void append(ILoggingEvent event) {
      // A message of two lines counts as two.
      for (String line : event.getFormattedMessage().split("\n")) {
        lines.add(event.getLevel() + " [" + event.getThreadName() + "] " + line);
      }
    }
  }
}
