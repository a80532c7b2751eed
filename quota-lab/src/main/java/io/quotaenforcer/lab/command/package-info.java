/** Commands for trying the product out, and the program that combines all commands. */
@NullMarked
package io.quotaenforcer.lab.command;

import org.jspecify.annotations.NullMarked;
