/** What the log shows of libraries. Named by the configuration of the log. */
@NullMarked
package io.quotaenforcer.enforcer.logging;

import org.jspecify.annotations.NullMarked;
