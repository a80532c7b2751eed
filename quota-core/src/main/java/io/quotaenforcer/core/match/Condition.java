package io.quotaenforcer.core.match;

/** What must hold of one attribute. */
public record Condition(String attribute, Matcher matcher) {

  boolean holds(AttributeValues values) {
    return matcher.matches(values.get(attribute));
  }
}
