/**
 * Reads released requests, keeps them in order, and runs them by the service's handler, at least
 * once. Carries out the service's side of "Queues of deferred requests" in protocol.md.
 */
@NullMarked
package io.quotaenforcer.client.internal.replay;

import org.jspecify.annotations.NullMarked;
