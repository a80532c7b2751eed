/** Settings as typed constants, and the strict reading of their values. */
@NullMarked
package io.quotaenforcer.schemas.setting;

import org.jspecify.annotations.NullMarked;
