/** The program: the {@code quota} commands, one file each. */
@NullMarked
package io.quotaenforcer.enforcer.cli;

import org.jspecify.annotations.NullMarked;
