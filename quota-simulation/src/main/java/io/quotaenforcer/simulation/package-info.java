/**
 * The real ledger and allotment books of several instances in one thread, under a simulated network
 * and simulated clocks: one seed, one run, the same each time.
 */
@NullMarked
package io.quotaenforcer.simulation;

import org.jspecify.annotations.NullMarked;
