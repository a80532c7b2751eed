/** The cost of each algorithm: bytes in the enforcer's store, and time. */
@NullMarked
package io.quotaenforcer.bench.algorithms;

import org.jspecify.annotations.NullMarked;
