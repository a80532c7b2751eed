/** The load of the demo, its live table and its report. */
@NullMarked
package io.quotaenforcer.enforcer.demo;

import org.jspecify.annotations.NullMarked;
