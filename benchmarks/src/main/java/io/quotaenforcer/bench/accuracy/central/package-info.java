/** A store that is asked for each decision: one counter in one process, over TCP. */
@NullMarked
package io.quotaenforcer.bench.accuracy.central;

import org.jspecify.annotations.NullMarked;
