/**
 * Limits that follow what a service reports of its load: what a limit is worth now, why and since
 * when. No rule has it yet, and no section of protocol.md depends on it: it runs in {@code quota
 * bench adapt} and its tests.
 */
@NullMarked
package io.quotaenforcer.core.adapt;

import org.jspecify.annotations.NullMarked;
