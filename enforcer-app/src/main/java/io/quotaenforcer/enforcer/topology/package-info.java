/**
 * The Kafka Streams topology: carries records to the core's state machines and back. Carries out
 * the enforcer's side of protocol.md: "The ledger books and grants", "The answer comes back",
 * "Request events" and "Queues of deferred requests".
 */
@NullMarked
package io.quotaenforcer.enforcer.topology;

import org.jspecify.annotations.NullMarked;
