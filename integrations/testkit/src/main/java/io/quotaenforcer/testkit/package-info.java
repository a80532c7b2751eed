/** Kafka and an enforcer as processes, and load on services beside them. */
@NullMarked
package io.quotaenforcer.testkit;

import org.jspecify.annotations.NullMarked;
