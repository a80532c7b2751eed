package io.quotaenforcer.core.allotment;

/**
 * The initial state of an object for a quota key.
 *
 * @param origin what is known of the key from before
 * @param now the instance's monotonic nanoseconds
 */
record KeyStart(KeyTerms terms, PartitionLink link, Origin origin, long now) {
  long enforcerNow() {
    return link.toEnforcer(now);
  }
}
