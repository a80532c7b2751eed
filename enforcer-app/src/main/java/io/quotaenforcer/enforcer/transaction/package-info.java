/** Transactions that brokers have forgotten to end, and their cure. */
@NullMarked
package io.quotaenforcer.enforcer.transaction;

import org.jspecify.annotations.NullMarked;
