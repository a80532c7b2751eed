/** Ends a program in order, however it is ended. */
@NullMarked
package io.quotaenforcer.enforcer.lifecycle;

import org.jspecify.annotations.NullMarked;
