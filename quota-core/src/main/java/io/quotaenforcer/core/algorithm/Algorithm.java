package io.quotaenforcer.core.algorithm;

/** How permits of a limit come back. */
public enum Algorithm {
  FIXED_WINDOW,
  SLIDING_WINDOW,
  SLIDING_SUB_WINDOWS,
  SLIDING_LOG,
  TOKEN_BUCKET,
  LEAKY_BUCKET
}
