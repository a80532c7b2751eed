/**
 * Limits that follow what a service reports of its load: what a limit is worth now, why and since
 * when.
 */
@NullMarked
package io.quotaenforcer.core.adapt;

import org.jspecify.annotations.NullMarked;
