/** Conditions on the attributes of a request, and finding what of many things they hold for. */
@NullMarked
package io.quotaenforcer.core.match;

import org.jspecify.annotations.NullMarked;
