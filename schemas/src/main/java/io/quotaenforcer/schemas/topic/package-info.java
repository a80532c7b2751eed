/** The topics of a prefix, with their keys, records and retention. */
@NullMarked
package io.quotaenforcer.schemas.topic;

import org.jspecify.annotations.NullMarked;
