package io.quotaenforcer.server.lifecycle;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Something that keeps a thread from its work until it recovers: logged once when it begins and
 * once when it ends, and visible in between. Safe for use by any number of threads.
 */
public final class Trouble {
  private final Logger log;
  private final String what;
  private volatile @Nullable Throwable cause;

  /**
   * @param what the work that fails, and the consequences
   */
  public Trouble(Logger log, String what) {
    this.log = log;
    this.what = what;
  }

  /** Reports a failure, the first or a repeated one. */
  public void begin(Throwable failure) {
    boolean isNew = cause == null;
    cause = failure;
    if (!isNew) {
      return;
    }
    if (failure instanceof Error) {
      log.error(what, failure);
    } else {
      log.warn("{}: {}", what, failure.toString());
    }
  }

  /** Reports that the work succeeds. */
  public void end() {
    if (cause != null) {
      cause = null;
      log.warn("over: {}", what);
    }
  }

  /** The present trouble with its latest cause; empty if there is none. */
  public Optional<String> now() {
    Throwable known = cause;
    return known == null ? Optional.empty() : Optional.of(what + ": " + known);
  }
}
