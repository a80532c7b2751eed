/** Messages of Envoy's rate limit service, made of rls.proto. */
@NullMarked
package io.quotaenforcer.gateway.envoy.proto;

import org.jspecify.annotations.NullMarked;
