/** What each algorithm costs: bytes in the enforcer's store, and time. */
@NullMarked
package io.quotaenforcer.bench.algorithms;

import org.jspecify.annotations.NullMarked;
