/**
 * Decisions as CSV files with the rules beside them, and a second verdict made from nothing else.
 */
@NullMarked
package io.quotaenforcer.enforcer.trace;

import org.jspecify.annotations.NullMarked;
