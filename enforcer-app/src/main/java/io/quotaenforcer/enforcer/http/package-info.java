/** The HTTP server of an enforcer: health, metrics, usage, deferred requests. */
@NullMarked
package io.quotaenforcer.enforcer.http;

import org.jspecify.annotations.NullMarked;
