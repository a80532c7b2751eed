/** What it costs to write and read records, beside Avro's library. */
@NullMarked
package io.quotaenforcer.bench.codec;

import org.jspecify.annotations.NullMarked;
