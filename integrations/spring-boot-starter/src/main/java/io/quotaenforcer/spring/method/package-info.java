/** Methods that are decided before they run: {@link io.quotaenforcer.spring.Quota}. */
@NullMarked
package io.quotaenforcer.spring.method;

import org.jspecify.annotations.NullMarked;
