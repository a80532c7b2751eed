/**
 * The queues of deferred requests of one partition: which requests wait, and which are released.
 * Carries out "Queues of deferred requests" of protocol.md.
 */
@NullMarked
package io.quotaenforcer.enforcer.deferral;

import org.jspecify.annotations.NullMarked;
