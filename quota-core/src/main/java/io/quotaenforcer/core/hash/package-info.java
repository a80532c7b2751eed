/**
 * Values that leave a process as keyed hashes only, and the keys of these. Carries out what
 * "Request events" of protocol.md says of hashes.
 */
@NullMarked
package io.quotaenforcer.core.hash;

import org.jspecify.annotations.NullMarked;
