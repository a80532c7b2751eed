/** What the topology counts in a second, beside what a user would write instead. */
@NullMarked
package io.quotaenforcer.bench.topology;

import org.jspecify.annotations.NullMarked;
