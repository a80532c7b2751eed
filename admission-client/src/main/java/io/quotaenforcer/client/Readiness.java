package io.quotaenforcer.client;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Whether an admission client knows the rules to decide by, and if not, why. Immutable. */
public sealed interface Readiness {

  /** Whether requests are decided by rules. */
  boolean isReady();

  /** The rules in force are those of the rules topic. */
  record Ready() implements Readiness {
    @Override
    public boolean isReady() {
      return true;
    }
  }

  /**
   * The rules in force are those of an earlier run, until the rules topic is read.
   *
   * @param asOf when they were last known to be those of the topic
   * @param why those of the topic are not in force, for people
   */
  record OfLastTime(Instant asOf, String why) implements Readiness {
    @Override
    public boolean isReady() {
      return true;
    }
  }

  /**
   * Something of the rules topic cannot be read, such as a rule that a newer version of this
   * library wrote. Of such a rule the version before it is in force. Where no version of one is
   * known, a request that it may match is {@link io.quotaenforcer.core.Decision.NotReady}: with
   * {@code before.rules=admit} each that no other rule matches, with {@code deny} every one.
   *
   * @param unreadable the reason, for people, by the domain and id of the rule
   * @param isReady whether requests are decided by rules
   */
  record Incomplete(SortedMap<String, String> unreadable, boolean isReady) implements Readiness {
    public Incomplete {
      unreadable = Collections.unmodifiableSortedMap(new TreeMap<>(unreadable));
    }
  }

  /**
   * No rules are known: every decision is {@link io.quotaenforcer.core.Decision.NotReady}.
   *
   * @param why for people
   */
  record NotYet(String why) implements Readiness {
    @Override
    public boolean isReady() {
      return false;
    }
  }
}
