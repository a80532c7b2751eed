/** What quota keys cost an admission client in memory. */
@NullMarked
package io.quotaenforcer.bench.memory;

import org.jspecify.annotations.NullMarked;
