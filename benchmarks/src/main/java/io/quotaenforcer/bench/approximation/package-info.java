/** How well the sliding-window counter stands for an exact log of requests. */
@NullMarked
package io.quotaenforcer.bench.approximation;

import org.jspecify.annotations.NullMarked;
