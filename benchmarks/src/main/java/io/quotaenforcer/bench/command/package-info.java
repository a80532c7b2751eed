/** Options, output and exit codes that the commands of all benchmarks share. */
@NullMarked
package io.quotaenforcer.bench.command;

import org.jspecify.annotations.NullMarked;
