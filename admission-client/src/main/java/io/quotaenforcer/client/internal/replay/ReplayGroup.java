package io.quotaenforcer.client.internal.replay;

import java.util.function.Predicate;

/**
 * A consumer group whose members share replays.
 *
 * @param domains whose replays they share; others are passed over
 */
public record ReplayGroup(String name, Predicate<String> domains) {}
