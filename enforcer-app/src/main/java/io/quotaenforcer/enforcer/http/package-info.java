/** The HTTP server of an enforcer: health, metrics, usage. */
@NullMarked
package io.quotaenforcer.enforcer.http;

import org.jspecify.annotations.NullMarked;
