/**
 * Reads Kafka topics no faster than quotas allow: a poll loop whose records are handed out as an
 * {@link io.quotaenforcer.client.Admission} admits them.
 */
@NullMarked
package io.quotaenforcer.pacer;

import org.jspecify.annotations.NullMarked;
