/** What instances and the enforcer tell each other: usage reports one way, quota snapshots back. */
@NullMarked
package io.quotaenforcer.core.message;

import org.jspecify.annotations.NullMarked;
