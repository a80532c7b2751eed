package io.quotaenforcer.pacer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Captures the lines that a class logs during a test, from INFO on. */
final class CapturedLog implements BeforeEachCallback, AfterEachCallback {
  private final Logger logger;
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  CapturedLog(Class<?> logging) {
    logger = (Logger) LoggerFactory.getLogger(logging.getName());
  }

  /** Level and message of each line. */
  List<String> said() {
    return lines.list.stream()
        .map(line -> line.getLevel() + " " + line.getFormattedMessage())
        .toList();
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.INFO);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    logger.detachAppender(lines);
    logger.setLevel(null);
  }
}
