/**
 * Limits and the algorithms that tell how many permits are left: state and time in, state out.
 * Section "A request is decided" of protocol.md rests on them, and so does "The ledger books and
 * grants".
 */
@NullMarked
package io.quotaenforcer.core.algorithm;

import org.jspecify.annotations.NullMarked;
