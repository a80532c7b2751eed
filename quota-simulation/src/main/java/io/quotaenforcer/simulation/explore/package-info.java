/**
 * The real ledger and allotment books in every order of their steps, with every fault, in a small
 * world: breadth first, each state once.
 */
@NullMarked
package io.quotaenforcer.simulation.explore;

import org.jspecify.annotations.NullMarked;
