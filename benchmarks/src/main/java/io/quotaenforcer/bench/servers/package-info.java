/** HTTP servers in trouble, for real: {@code quota bench servers}. */
@NullMarked
package io.quotaenforcer.bench.servers;

import org.jspecify.annotations.NullMarked;
