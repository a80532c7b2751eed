/** What can be asked of an enforcer, and its answers as plain values. */
@NullMarked
package io.quotaenforcer.enforcer.query;

import org.jspecify.annotations.NullMarked;
