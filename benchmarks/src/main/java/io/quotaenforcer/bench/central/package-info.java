/** Decisions by a central store, Redis, beside those of an admission client. */
@NullMarked
package io.quotaenforcer.bench.central;

import org.jspecify.annotations.NullMarked;
