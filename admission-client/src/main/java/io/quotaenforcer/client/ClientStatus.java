package io.quotaenforcer.client;

import java.time.Duration;

/**
 * A snapshot of an admission client's permits and waiting requests, for metrics and health checks.
 * Immutable.
 *
 * @param rules in force
 * @param keys quota keys in use; dormant ones do not count
 * @param waiting requests that wait for permits
 * @param held permits at hand that were granted, of all quota keys
 * @param opened permits that were taken by openings, since the start
 * @param partitionsAway partitions of the usage topic whose enforcer does not answer: their rules
 *     go on with what they hold, and then by {@code on-unavailable}
 * @param unanswered for how long the oldest report without an answer has waited for one; zero if
 *     there is none
 */
public record ClientStatus(
    int rules,
    int keys,
    int waiting,
    long held,
    long opened,
    int partitionsAway,
    Duration unanswered) {}
