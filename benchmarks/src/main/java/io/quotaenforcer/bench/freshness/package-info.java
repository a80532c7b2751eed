/** {@code quota bench freshness}: how soon what one instance admits is known to another. */
@NullMarked
package io.quotaenforcer.bench.freshness;

import org.jspecify.annotations.NullMarked;
