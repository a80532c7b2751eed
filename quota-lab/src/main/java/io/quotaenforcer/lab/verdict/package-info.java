/** Judges the instances' decisions from their stamps alone: over-admission, utilisation, labels. */
@NullMarked
package io.quotaenforcer.lab.verdict;

import org.jspecify.annotations.NullMarked;
