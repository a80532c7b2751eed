/** Figures and tables in plain text. */
@NullMarked
package io.quotaenforcer.cli.text;

import org.jspecify.annotations.NullMarked;
