package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.QuotaKey;
import java.util.List;

/**
 * The quota keys that a request that meets a rule's conditions counts under, if they can be told.
 */
public sealed interface CountedUnder {

  /**
   * Quota keys of the rule, all of which are charged.
   *
   * @param all none where the request is exempt or lacks a key attribute; two while the keys that
   *     values are hashed by are rotated
   */
  record Keys(List<QuotaKey> all) implements CountedUnder {
    static final Keys NONE = new Keys(List.of());
  }

  /**
   * It is not known: the rule hashes a value that is in the clear, and there is no key to do so.
   *
   * @param attribute whose value it is
   */
  record InTheClear(String attribute) implements CountedUnder {}
}
