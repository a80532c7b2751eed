/** Ends a program in order, whatever ends it. */
@NullMarked
package io.quotaenforcer.enforcer.lifecycle;

import org.jspecify.annotations.NullMarked;
