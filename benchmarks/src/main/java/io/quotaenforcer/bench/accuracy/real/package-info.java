/** Fleets on a real broker and enforcer, in real time. */
@NullMarked
package io.quotaenforcer.bench.accuracy.real;

import org.jspecify.annotations.NullMarked;
