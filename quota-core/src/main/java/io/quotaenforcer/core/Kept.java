package io.quotaenforcer.core;

import org.jspecify.annotations.Nullable;

/**
 * Findings about a request, kept with it by whoever decides it so as not to look for them again.
 * Immutable, and of use only to the one that they are from.
 */
public interface Kept {

  /** The findings that were kept with a request last; null for none. */
  static @Nullable Kept with(Request request) {
    return request.kept;
  }

  /** Keeps findings with a request, in place of others; another thread may not see them. */
  static void keep(Request request, Kept findings) {
    request.kept = findings;
  }
}
