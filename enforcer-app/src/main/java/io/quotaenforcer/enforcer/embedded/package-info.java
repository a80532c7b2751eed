/** A Kafka broker in this process, for demos, trials and tests: one node, no replication. */
@NullMarked
package io.quotaenforcer.enforcer.embedded;

import org.jspecify.annotations.NullMarked;
