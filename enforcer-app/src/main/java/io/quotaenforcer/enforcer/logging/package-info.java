/** Log output of libraries, filtered. Named in the log's configuration. */
@NullMarked
package io.quotaenforcer.enforcer.logging;

import org.jspecify.annotations.NullMarked;
