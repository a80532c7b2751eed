package io.quotaenforcer.client;

/**
 * What is run for a request that is admitted.
 *
 * @param <T> its result
 * @param <E> what it may throw
 */
@FunctionalInterface
public interface Work<T, E extends Exception> {

  /** Does it, once. */
  T run() throws E;
}
