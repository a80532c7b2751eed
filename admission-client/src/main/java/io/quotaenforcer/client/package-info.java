/** The admission client: where a service starts to hold its callers to quotas. */
@NullMarked
package io.quotaenforcer.client;

import org.jspecify.annotations.NullMarked;
