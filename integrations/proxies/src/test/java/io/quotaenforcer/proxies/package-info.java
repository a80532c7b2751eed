/** The real nginx and the real Caddy, in front of gateways. */
@NullMarked
package io.quotaenforcer.proxies;

import org.jspecify.annotations.NullMarked;
