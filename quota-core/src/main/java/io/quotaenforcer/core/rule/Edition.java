package io.quotaenforcer.core.rule;

/**
 * Which of its changes a rule has gone through.
 *
 * @param version counts the changes of this rule, from 1; 0 before it is published
 * @param generation the version in which key, algorithm or period last changed: counts of an older
 *     generation do not carry over
 */
public record Edition(long version, long generation) {
  public static final Edition UNPUBLISHED = new Edition(0, 0);
}
