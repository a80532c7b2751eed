/** Envoy's rate limit service. */
@NullMarked
package io.quotaenforcer.gateway.envoy;

import org.jspecify.annotations.NullMarked;
