/**
 * The records that travel between clients and enforcer, generated from {@code src/main/avro}; null
 * only where a schema has a union with null.
 */
// Avro writes annotations where JSpecify's are not allowed.
@NullUnmarked
package io.quotaenforcer.schemas;

import org.jspecify.annotations.NullUnmarked;
