/**
 * Rules decided exactly, in one process that sees every request. No section of protocol.md depends
 * on it.
 */
@NullMarked
package io.quotaenforcer.core.standalone;

import org.jspecify.annotations.NullMarked;
