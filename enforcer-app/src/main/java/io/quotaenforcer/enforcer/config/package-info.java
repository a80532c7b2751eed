/** What an enforcer and the commands are configured by: typed, strict, read once at the start. */
@NullMarked
package io.quotaenforcer.enforcer.config;

import org.jspecify.annotations.NullMarked;
