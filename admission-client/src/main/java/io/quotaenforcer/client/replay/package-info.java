/** Runs released requests by the service's handler: in order, at least once, some at a time. */
@NullMarked
package io.quotaenforcer.client.replay;

import org.jspecify.annotations.NullMarked;
