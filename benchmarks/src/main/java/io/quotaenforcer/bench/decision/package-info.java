/** The cost of a decision to its caller, beside other limiters. */
@NullMarked
package io.quotaenforcer.bench.decision;

import org.jspecify.annotations.NullMarked;
