/** A Kafka broker in this process, for demos, trials and tests: one node, no replication. */
@NullMarked
package io.quotaenforcer.broker;

import org.jspecify.annotations.NullMarked;
