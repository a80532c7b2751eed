/** The queues of deferred requests of one partition: who waits, and who is released. */
@NullMarked
package io.quotaenforcer.enforcer.deferral;

import org.jspecify.annotations.NullMarked;
