package io.quotaenforcer.core.allotment;

/**
 * What an object for a quota key begins with.
 *
 * @param origin what is known of the key from before
 * @param now the instance's monotonic nanoseconds
 */
record KeyStart(KeyTerms terms, PartitionLink link, Origin origin, long now) {
  long enforcerNow() {
    return link.toEnforcer(now);
  }
}
