/** The servers that are loaded, each in a process of its own. */
@NullMarked
package io.quotaenforcer.bench.gateway.served;

import org.jspecify.annotations.NullMarked;
