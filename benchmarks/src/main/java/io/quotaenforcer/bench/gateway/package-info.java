/** The gateway under load, beside servers that decide nothing or count in Redis. */
@NullMarked
package io.quotaenforcer.bench.gateway;

import org.jspecify.annotations.NullMarked;
