/** The seeded simulation over many seeds. */
@NullMarked
package io.quotaenforcer.bench.simulate;

import org.jspecify.annotations.NullMarked;
