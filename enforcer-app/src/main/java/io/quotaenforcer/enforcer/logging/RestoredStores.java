package io.quotaenforcer.enforcer.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.lang.ref.WeakReference;
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
    TaskCorruptedException corrupted = corrupted(thrown, parameters);
    if (corrupted == null || logger.isDebugEnabled()) {
      return FilterReply.NEUTRAL;
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
