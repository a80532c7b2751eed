/** Converts configurations of Envoy's ratelimit service into rule files. */
@NullMarked
package io.quotaenforcer.rules.envoy;

import org.jspecify.annotations.NullMarked;
