/** Queries of an enforcer's state, and their answers as plain values. */
@NullMarked
package io.quotaenforcer.enforcer.query;

import org.jspecify.annotations.NullMarked;
