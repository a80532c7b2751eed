/** Maps records on the wire to types of the core and back: the only place that knows both. */
@NullMarked
package io.quotaenforcer.schemas.mapping;

import org.jspecify.annotations.NullMarked;
