/** A listening port whose clients are bounded, with probes, metrics and a token. */
@NullMarked
package io.quotaenforcer.server;

import org.jspecify.annotations.NullMarked;
