package io.quotaenforcer.bench.central;

import java.util.concurrent.CompletionStage;

/**
 * A limit that is counted in Redis. Safe for use by any number of threads, and by any number of
 * processes together.
 */
interface RedisLimiter {
  /** What it is called in tables and files. */
  String name();

  /** Where it was published. */
  String source();

  /** Takes a permit of a key if there is one; waits for Redis' answer. */
  boolean tryAcquire(String key);

  /** The same, but answers later; no thread waits. */
  CompletionStage<Boolean> ask(String key);
}
