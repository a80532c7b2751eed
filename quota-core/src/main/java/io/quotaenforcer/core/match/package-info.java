/**
 * Conditions on the attributes of a request, and an index that finds the items whose conditions
 * hold. Carries out the matching in "A request is decided" of protocol.md.
 */
@NullMarked
package io.quotaenforcer.core.match;

import org.jspecify.annotations.NullMarked;
