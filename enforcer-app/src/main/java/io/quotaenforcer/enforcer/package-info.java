/** The enforcer and its wiring. */
@NullMarked
package io.quotaenforcer.enforcer;

import org.jspecify.annotations.NullMarked;
