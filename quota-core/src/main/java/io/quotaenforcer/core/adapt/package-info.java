/**
 * Limits that follow what a service reports of its load: what a limit is worth now, why and since
 * when. Carries out the decision in "Limits by load" of protocol.md.
 */
@NullMarked
package io.quotaenforcer.core.adapt;

import org.jspecify.annotations.NullMarked;
