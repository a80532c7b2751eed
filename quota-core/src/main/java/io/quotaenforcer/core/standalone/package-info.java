/** Rules decided exactly, in one process that sees every request. */
@NullMarked
package io.quotaenforcer.core.standalone;

import org.jspecify.annotations.NullMarked;
