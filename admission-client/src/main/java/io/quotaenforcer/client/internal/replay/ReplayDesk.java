package io.quotaenforcer.client.internal.replay;

/**
 * The client that replays are run for, as they see it: what it decides, asks and writes.
 *
 * @param otherRules takes the permits that a replay has not paid yet
 * @param acknowledgements knows which replays were handled before
 * @param results writes how replays ended
 */
public record ReplayDesk(
    OtherRules otherRules, Acknowledgements acknowledgements, ReplayResults results) {}
