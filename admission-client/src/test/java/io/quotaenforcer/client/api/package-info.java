/** Holds the public signatures of the client against those that are committed. */
@NullMarked
package io.quotaenforcer.client.api;

import org.jspecify.annotations.NullMarked;
