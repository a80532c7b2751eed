/**
 * Runs a log through a broker, an enforcer and several instances in this process, and judges it.
 */
@NullMarked
package io.quotaenforcer.lab.runlog;

import org.jspecify.annotations.NullMarked;
