/**
 * Decisions as CSV files with the rules beside them, and a second verdict made from nothing else.
 */
@NullMarked
package io.quotaenforcer.lab.trace;

import org.jspecify.annotations.NullMarked;
