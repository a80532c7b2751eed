/** Between the records on the wire and the types of the core: the only place that knows both. */
@NullMarked
package io.quotaenforcer.schemas.mapping;

import org.jspecify.annotations.NullMarked;
