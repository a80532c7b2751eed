/**
 * The client's background threads: usage reports out, rules and quota snapshots in. Carries out
 * "Usage is reported", "The answer comes back" and "Without an answer" of protocol.md.
 */
@NullMarked
package io.quotaenforcer.client.internal.kafka;

import org.jspecify.annotations.NullMarked;
