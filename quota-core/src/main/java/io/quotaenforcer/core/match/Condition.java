package io.quotaenforcer.core.match;

/** What must hold of one attribute. */
public record Condition(String attribute, Matcher matcher) {

  Answer test(AttributeValues values) {
    return matcher.test(values.get(attribute));
  }
}
