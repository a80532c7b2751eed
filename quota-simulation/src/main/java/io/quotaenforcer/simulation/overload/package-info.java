/**
 * A service of servers with queues that becomes overloaded, and what different limits make of it:
 * one seed, one run, the same each time.
 */
@NullMarked
package io.quotaenforcer.simulation.overload;

import org.jspecify.annotations.NullMarked;
