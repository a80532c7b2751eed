package io.quotaenforcer.enforcer.api;

import java.util.Locale;

/** What operators change by the API, as the audit topic names it. */
public enum Action {
  RULE_PUT("A rule was published."),
  RULES_PUT("Several rules of a domain were published as one change."),
  RULE_MODE("A rule was enforced, or put into shadow mode."),
  DEFERRED_CANCEL("A deferred request was taken out of its queue."),
  DEFERRED_RELEASE("A deferred request was made the next of its quota key."),
  DEFERRED_PURGE("All waiting requests of a rule or of a quota key were taken out."),
  PENALTY_LIFT("The penalty of a quota key was ended."),
  DEAD_LETTERS_REDRIVE("Dead letters were written back to where they came from.");

  private final String doc;

  Action(String doc) {
    this.doc = doc;
  }

  /** In the topic, and in answers. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String doc() {
    return doc;
  }
}
