/** The activity of an enforcer's partitions, written by stream threads and read by others. */
@NullMarked
package io.quotaenforcer.enforcer.activity;

import org.jspecify.annotations.NullMarked;
