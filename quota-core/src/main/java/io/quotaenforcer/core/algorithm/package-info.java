/**
 * Limits and the algorithms that say how many permits one has left: state and time in, state out.
 */
@NullMarked
package io.quotaenforcer.core.algorithm;

import org.jspecify.annotations.NullMarked;
