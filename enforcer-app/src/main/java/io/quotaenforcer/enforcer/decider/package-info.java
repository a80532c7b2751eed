/** Ways for an instance to decide over Kafka: by allotments, or from a delayed count. */
@NullMarked
package io.quotaenforcer.enforcer.decider;

import org.jspecify.annotations.NullMarked;
