/** Converts configurations of Envoy's ratelimit service into rule files. */
@NullMarked
package io.quotaenforcer.cli.envoy;

import org.jspecify.annotations.NullMarked;
