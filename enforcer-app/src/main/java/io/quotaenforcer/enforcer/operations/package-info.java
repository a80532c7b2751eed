/** What operators change through Kafka, each change together with its record in the audit topic. */
@NullMarked
package io.quotaenforcer.enforcer.operations;

import org.jspecify.annotations.NullMarked;
