/** Every metric of the enforcer, by name, once. */
@NullMarked
package io.quotaenforcer.enforcer.metrics;

import org.jspecify.annotations.NullMarked;
