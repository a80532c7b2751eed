/** The rules topic: publishing rules, following them, and their history. */
@NullMarked
package io.quotaenforcer.enforcer.rules;

import org.jspecify.annotations.NullMarked;
