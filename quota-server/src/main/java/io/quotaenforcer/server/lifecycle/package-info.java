/** Ends a program in order, whatever ends it. */
@NullMarked
package io.quotaenforcer.server.lifecycle;

import org.jspecify.annotations.NullMarked;
