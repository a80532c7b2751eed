/**
 * The enforcer's clock and whether to trust it: it is compared with the time of the brokers, so
 * that no enforcer writes times that others cannot follow.
 */
@NullMarked
package io.quotaenforcer.enforcer.clock;

import org.jspecify.annotations.NullMarked;
