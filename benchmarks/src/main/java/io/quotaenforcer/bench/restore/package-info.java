/** How long a successor takes to answer reports again when an enforcer with many keys is killed. */
@NullMarked
package io.quotaenforcer.bench.restore;

import org.jspecify.annotations.NullMarked;
