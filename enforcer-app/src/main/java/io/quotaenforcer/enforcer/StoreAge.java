package io.quotaenforcer.enforcer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Properties;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.StreamsConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When the stores of an enforcer last followed their topics: the time of a file beside them.
 * Brokers forget a deletion some time after it was made ({@code delete.retention.ms}, a day by
 * default). Stores that were behind for longer keep rows that their topics do not have any more,
 * such as an entitlement that was taken back, and go on from there: they have to be read anew.
 */
final class StoreAge {
  private static final Logger log = LoggerFactory.getLogger(StoreAge.class);

  /** Half of what brokers remember: a deletion may have been heard long after it was made. */
  static final Duration MOST_BEHIND = Duration.ofHours(12);

  private static final Duration NOTED_EVERY = Duration.ofMinutes(1);

  private final Path folder;
  private final Path file;
  private final LongSupplier epochMillis;
  private boolean told;

  /**
   * @param folder of the stores of one application or several
   * @param epochMillis wall clock, as the file's time is
   */
  StoreAge(Path folder, String applicationId, LongSupplier epochMillis) {
    this.folder = folder;
    this.file = folder.resolve(applicationId + ".followed");
    this.epochMillis = epochMillis;
  }

  /** Of the stores of a topology with these properties. */
  static StoreAge of(Properties streams) {
    return new StoreAge(
        Path.of(String.valueOf(streams.get(StreamsConfig.STATE_DIR_CONFIG))),
        String.valueOf(streams.get(StreamsConfig.APPLICATION_ID_CONFIG)),
        System::currentTimeMillis);
  }

  /** Whether the stores must be read anew; where nothing is known, they are as at a first start. */
  boolean isTooOld() {
    return behindMillis() > MOST_BEHIND.toMillis();
  }

  /** The stores are empty, or not too old: what they have from now on is what their topics say. */
  void begin() {
    try {
      if (!Files.exists(file)) {
        Files.createDirectories(folder);
        Files.createFile(file);
      }
      Files.setLastModifiedTime(file, FileTime.fromMillis(epochMillis.getAsLong()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  /**
   * The stores follow their topics now. If they were behind for too long meanwhile, as when no
   * broker could be reached, the next start reads them anew.
   */
  void followed() {
    long behind = behindMillis();
    if (behind > MOST_BEHIND.toMillis()) {
      tell(Duration.ofMillis(behind));
    } else if (behind >= NOTED_EVERY.toMillis() || behind < 0) {
      begin();
    }
  }

  private void tell(Duration behind) {
    if (!told) {
      told = true;
      log.error(
          "the stores were behind their topics for {} hours: copies may hold what was deleted"
              + " meanwhile, such as entitlements that were taken back; restart this enforcer, which"
              + " reads them anew",
          behind.toHours());
    }
  }

  private long behindMillis() {
    try {
      return epochMillis.getAsLong() - Files.getLastModifiedTime(file).toMillis();
    } catch (NoSuchFileException e) {
      return NOTED_EVERY.toMillis();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
