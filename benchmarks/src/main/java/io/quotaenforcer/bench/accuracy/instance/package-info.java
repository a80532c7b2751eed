/** One instance of a fleet that runs in real time: its demand, its decisions, what it measured. */
@NullMarked
package io.quotaenforcer.bench.accuracy.instance;

import org.jspecify.annotations.NullMarked;
