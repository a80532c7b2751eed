/**
 * Metrics of decisions for the service's own registry. Names follow those of ASP.NET Core's rate
 * limiting, where they say the same.
 */
@NullMarked
package io.quotaenforcer.micrometer;

import org.jspecify.annotations.NullMarked;
