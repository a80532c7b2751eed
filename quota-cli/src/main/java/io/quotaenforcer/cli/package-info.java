/** The program: the {@code quota} commands, one file each. */
@NullMarked
package io.quotaenforcer.cli;

import org.jspecify.annotations.NullMarked;
