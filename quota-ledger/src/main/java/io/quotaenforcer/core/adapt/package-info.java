/**
 * Limits that follow what a service reports of its load: what a limit is worth now, why and since
 * when. No section of protocol.md depends on it: no rule has it yet.
 */
@NullMarked
package io.quotaenforcer.core.adapt;

import org.jspecify.annotations.NullMarked;
