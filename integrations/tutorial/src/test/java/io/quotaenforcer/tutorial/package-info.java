/** Types the tutorial as a reader would. */
@NullMarked
package io.quotaenforcer.tutorial;

import org.jspecify.annotations.NullMarked;
