/** The {@code quota bench} command. */
@NullMarked
package io.quotaenforcer.bench;

import org.jspecify.annotations.NullMarked;
