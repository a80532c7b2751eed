/** Queues of deferred requests: who is next, what may wait, and when the next one is released. */
@NullMarked
package io.quotaenforcer.core.deferral;

import org.jspecify.annotations.NullMarked;
