/** Many clients with small limits, whose requests spread over all instances. */
@NullMarked
package io.quotaenforcer.bench.sparse;

import org.jspecify.annotations.NullMarked;
