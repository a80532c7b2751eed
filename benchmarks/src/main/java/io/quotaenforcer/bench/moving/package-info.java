/** Limits that follow what is there: {@code quota bench moving}. */
@NullMarked
package io.quotaenforcer.bench.moving;

import org.jspecify.annotations.NullMarked;
