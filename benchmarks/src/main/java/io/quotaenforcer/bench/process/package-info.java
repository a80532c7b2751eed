/** Processes that a benchmark starts and ends. */
@NullMarked
package io.quotaenforcer.bench.process;

import org.jspecify.annotations.NullMarked;
