/**
 * The admission client: where a service starts to hold its callers to quotas. Carries out the
 * instance's side of protocol.md: "A request is decided", "Request events" and "Without an answer".
 */
@NullMarked
package io.quotaenforcer.client;

import org.jspecify.annotations.NullMarked;
