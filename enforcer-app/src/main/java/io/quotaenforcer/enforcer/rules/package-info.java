/** Rule files and the rules topic: reading, checking, comparing and publishing rules. */
@NullMarked
package io.quotaenforcer.enforcer.rules;

import org.jspecify.annotations.NullMarked;
