/** Settings as typed constants, and the strict reading of their values. */
@NullMarked
package io.quotaenforcer.core.setting;

import org.jspecify.annotations.NullMarked;
