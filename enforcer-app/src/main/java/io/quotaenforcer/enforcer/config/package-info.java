/** Configuration of the enforcer and of the commands: typed, strict, read once at the start. */
@NullMarked
package io.quotaenforcer.enforcer.config;

import org.jspecify.annotations.NullMarked;
