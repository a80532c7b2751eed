/** Threads that read topics outside of the topology. */
@NullMarked
package io.quotaenforcer.enforcer.consumer;

import org.jspecify.annotations.NullMarked;
