package io.quotaenforcer.enforcer.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Logs in one line that stores are restored after an unclean stop; Kafka Streams logs this several
 * times as an exception with its stack. The exception is how exactly-once stores recover: they are
 * wiped and read again from their changelog. Nothing else is suppressed, and not even this with
 * debug output on.
 */
public final class RestoredStores extends TurboFilter {
  /** The message that tasks log before their thread logs the exception for all of them. */
  private static final String NO_CHECKPOINT = "did not find checkpoint offsets while stores are";

  private static final String TASK_MANAGER = ".TaskManager";

  private final AtomicReference<WeakReference<Throwable>> last =
      new AtomicReference<>(new WeakReference<>(null));

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] parameters,
      @Nullable Throwable thrown) {
    // Asking the logger itself would come back here.
    if (Level.DEBUG.isGreaterOrEqual(logger.getEffectiveLevel())) {
      return FilterReply.NEUTRAL;
    }
    if ((format != null && format.contains(NO_CHECKPOINT)) || isOfTasks(parameters)) {
      return FilterReply.DENY;
    }
    TaskCorruptedException corrupted = corrupted(thrown, parameters);
    if (corrupted == null) {
      return FilterReply.NEUTRAL;
    }
    if (logger.getName().endsWith(TASK_MANAGER)) {
      return FilterReply.DENY;
    }
    if (last.getAndSet(new WeakReference<>(corrupted)).get() != corrupted) {
      ((LoggerContext) getContext())
          .getLogger(RestoredStores.class)
          .warn(
              "the stores of tasks {} do not agree with their changelog, as after an unclean stop;"
                  + " they are wiped and restored",
              corrupted.corruptedTasks());
    }
    return FilterReply.DENY;
  }

  /** Whether these are the exceptions of single tasks, of which nothing else is wrong. */
  private static boolean isOfTasks(Object @Nullable [] parameters) {
    return parameters != null
        && parameters.length == 1
        && parameters[0] instanceof Map<?, ?> byTask
        && !byTask.isEmpty()
        && byTask.values().stream().allMatch(TaskCorruptedException.class::isInstance);
  }

  /** The exception is the last of the parameters, or stands by itself. */
  private static @Nullable TaskCorruptedException corrupted(
      @Nullable Throwable thrown, Object @Nullable [] parameters) {
    Object error = thrown;
    if (error == null && parameters != null && parameters.length > 0) {
      error = parameters[parameters.length - 1];
    }
    if (error instanceof TaskCorruptedException corrupted) {
      return corrupted;
    }
    return error instanceof Throwable wrapper
            && wrapper.getCause() instanceof TaskCorruptedException cause
        ? cause
        : null;
  }
}
