/** What a decision costs the caller, beside other limiters. */
@NullMarked
package io.quotaenforcer.bench.decision;

import org.jspecify.annotations.NullMarked;
