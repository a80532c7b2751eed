/** The Kafka Streams topology: carries records to the core's state machines and back. */
@NullMarked
package io.quotaenforcer.enforcer.topology;

import org.jspecify.annotations.NullMarked;
