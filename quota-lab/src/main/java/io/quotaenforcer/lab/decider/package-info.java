/** Ways for an instance to decide over Kafka: by allotments, or from a delayed count. */
@NullMarked
package io.quotaenforcer.lab.decider;

import org.jspecify.annotations.NullMarked;
