/** How benchmarks have JMH time what takes nanoseconds. */
@NullMarked
package io.quotaenforcer.bench.jmh;

import org.jspecify.annotations.NullMarked;
