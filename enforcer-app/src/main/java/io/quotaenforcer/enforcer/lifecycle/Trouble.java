package io.quotaenforcer.enforcer.lifecycle;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What keeps a thread from its work, until it works again: said once when it begins and once when
 * it is over, and known to whoever asks in between. Safe for use by any number of threads.
 */
public final class Trouble {
  private final Logger log;
  private final String what;
  private volatile @Nullable Throwable cause;

  /**
   * @param what cannot be done, and what that means
   */
  public Trouble(Logger log, String what) {
    this.log = log;
    this.what = what;
  }

  /** It failed, or failed again. */
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

  /** It works. */
  public void end() {
    if (cause != null) {
      cause = null;
      log.info("over: {}", what);
    }
  }

  /** What it is at present, with the newest cause; empty when all is well. */
  public Optional<String> now() {
    Throwable known = cause;
    return known == null ? Optional.empty() : Optional.of(what + ": " + known);
  }
}
