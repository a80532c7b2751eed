package io.quotaenforcer.core.match;

/** A condition on one attribute. */
public record Condition(String attribute, Matcher matcher) {

  Answer test(AttributeValues values) {
    return matcher.test(values.get(attribute));
  }
}
