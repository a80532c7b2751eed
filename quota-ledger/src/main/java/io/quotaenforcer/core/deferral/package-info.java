/**
 * Queues of deferred requests: order, bounds, and times of release. Carries out "Queues of deferred
 * requests" of protocol.md.
 */
@NullMarked
package io.quotaenforcer.core.deferral;

import org.jspecify.annotations.NullMarked;
