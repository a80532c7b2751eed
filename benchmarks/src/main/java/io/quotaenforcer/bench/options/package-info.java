/** Options that several benchmarks have. */
@NullMarked
package io.quotaenforcer.bench.options;

import org.jspecify.annotations.NullMarked;
