/** The enforcer process: its entry point and its wiring. */
@NullMarked
package io.quotaenforcer.enforcer;

import org.jspecify.annotations.NullMarked;
