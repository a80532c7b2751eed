/** Every metric of the enforcer, registered by name once. */
@NullMarked
package io.quotaenforcer.enforcer.metrics;

import org.jspecify.annotations.NullMarked;
