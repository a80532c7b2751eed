/** The cost of writing and reading records, beside Avro's library. */
@NullMarked
package io.quotaenforcer.bench.codec;

import org.jspecify.annotations.NullMarked;
