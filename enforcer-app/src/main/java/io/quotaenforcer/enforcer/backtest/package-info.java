/** Back-tests of rules on the request events topic, and their reports. */
@NullMarked
package io.quotaenforcer.enforcer.backtest;

import org.jspecify.annotations.NullMarked;
