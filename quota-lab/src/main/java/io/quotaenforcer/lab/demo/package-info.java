/** The load of the demo, its live table and its report. */
@NullMarked
package io.quotaenforcer.lab.demo;

import org.jspecify.annotations.NullMarked;
