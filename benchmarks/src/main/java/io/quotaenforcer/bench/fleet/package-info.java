/** The real ledger and allotment books under a simulated clock and network. */
@NullMarked
package io.quotaenforcer.bench.fleet;

import org.jspecify.annotations.NullMarked;
