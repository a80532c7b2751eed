/**
 * The vocabulary of quotas: requests, quota keys and decisions. Time is always an argument. The
 * words of protocol.md.
 */
@NullMarked
package io.quotaenforcer.core;

import org.jspecify.annotations.NullMarked;
