/** Figures and tables as text. */
@NullMarked
package io.quotaenforcer.server.text;

import org.jspecify.annotations.NullMarked;
