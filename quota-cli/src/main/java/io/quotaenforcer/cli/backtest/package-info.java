/** Back-tests of rules on logs and recorded request events, and their reports. */
@NullMarked
package io.quotaenforcer.cli.backtest;

import org.jspecify.annotations.NullMarked;
