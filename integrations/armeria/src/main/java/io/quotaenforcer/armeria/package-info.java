/** Rules for Armeria: {@link io.quotaenforcer.armeria.QuotaService} decides each request. */
@NullMarked
package io.quotaenforcer.armeria;

import org.jspecify.annotations.NullMarked;
