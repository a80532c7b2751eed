/** Arithmetic that several benchmarks sum up their measurements with. */
@NullMarked
package io.quotaenforcer.bench.figures;

import org.jspecify.annotations.NullMarked;
