package io.quotaenforcer.client;

/**
 * Work to run for an admitted request.
 *
 * @param <T> its result
 * @param <E> what it may throw
 */
@FunctionalInterface
public interface Work<T, E extends Exception> {

  /** Does it, once. */
  T run() throws E;
}
