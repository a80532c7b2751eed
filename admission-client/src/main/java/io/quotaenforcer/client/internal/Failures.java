package io.quotaenforcer.client.internal;

/**
 * What ended a step of a thread that must go on. Errors do so, too: a class may be missing or of
 * another version, a callback may run out of stack, one allocation may fail; and nobody else does
 * the thread's work.
 */
public final class Failures {
  private Failures() {}

  /** The failure as whoever is told of exceptions can be told of it. */
  public static RuntimeException asException(Throwable failure) {
    return failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
  }
}
