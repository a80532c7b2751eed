/**
 * Messages between instances and the enforcer: usage reports one way, quota snapshots back. Carries
 * out "Usage is reported", "The answer comes back" and "Queues of deferred requests" of
 * protocol.md.
 */
@NullMarked
package io.quotaenforcer.core.message;

import org.jspecify.annotations.NullMarked;
