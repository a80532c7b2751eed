/** Searches among very many quota keys, and what they cost those who count. */
@NullMarked
package io.quotaenforcer.bench.search;

import org.jspecify.annotations.NullMarked;
