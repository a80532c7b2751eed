/** Values that leave a process as keyed hashes only, and the keys of these. */
@NullMarked
package io.quotaenforcer.core.hash;

import org.jspecify.annotations.NullMarked;
