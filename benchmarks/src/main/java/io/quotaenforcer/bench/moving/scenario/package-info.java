/**
 * Loads on limits that follow what there is, and what is said of them, in whatever way they run.
 */
@NullMarked
package io.quotaenforcer.bench.moving.scenario;

import org.jspecify.annotations.NullMarked;
