/** Limits that follow the load of a service: {@code quota bench adapt}. */
@NullMarked
package io.quotaenforcer.bench.adapt;

import org.jspecify.annotations.NullMarked;
