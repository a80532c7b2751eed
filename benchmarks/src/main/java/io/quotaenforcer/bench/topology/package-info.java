/** The rate at which the topology counts, beside that of the program a user would write instead. */
@NullMarked
package io.quotaenforcer.bench.topology;

import org.jspecify.annotations.NullMarked;
