/** Figures and tables as text. */
@NullMarked
package io.quotaenforcer.enforcer.text;

import org.jspecify.annotations.NullMarked;
