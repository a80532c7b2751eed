/** Decisions over HTTP: for proxies that ask before they pass a request on, and for programs. */
@NullMarked
package io.quotaenforcer.gateway.check;

import org.jspecify.annotations.NullMarked;
