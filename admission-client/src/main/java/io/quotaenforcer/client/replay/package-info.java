/**
 * How a service runs deferred requests once they are released: in order, at least once, several at
 * a time. Carries out the service's side of "Queues of deferred requests" in protocol.md.
 */
@NullMarked
package io.quotaenforcer.client.replay;

import org.jspecify.annotations.NullMarked;
