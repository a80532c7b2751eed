/** Records to bytes and back, with or without a schema registry. */
@NullMarked
package io.quotaenforcer.schemas.codec;

import org.jspecify.annotations.NullMarked;
