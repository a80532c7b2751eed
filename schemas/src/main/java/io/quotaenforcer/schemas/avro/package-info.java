/**
 * Records in Avro's binary encoding, and the schemas that they are written and read by: as much of
 * Avro as records here need, so that services need not have Avro, or may have any version of it.
 */
@NullMarked
package io.quotaenforcer.schemas.avro;

import org.jspecify.annotations.NullMarked;
