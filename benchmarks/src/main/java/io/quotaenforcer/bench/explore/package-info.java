/** The exhaustive exploration of small worlds. */
@NullMarked
package io.quotaenforcer.bench.explore;

import org.jspecify.annotations.NullMarked;
