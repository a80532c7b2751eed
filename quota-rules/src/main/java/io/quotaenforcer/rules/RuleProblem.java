package io.quotaenforcer.rules;

/**
 * A problem in a rule file, and its correction.
 *
 * @param line counted from 1
 * @param column counted from 1, in characters as an editor shows them
 */
public record RuleProblem(String file, int line, int column, String message) {

  /** {@code file:line:column: message}, which editors and terminals turn into a link. */
  @Override
  public String toString() {
    return file + ":" + line + ":" + column + ": " + message;
  }
}
