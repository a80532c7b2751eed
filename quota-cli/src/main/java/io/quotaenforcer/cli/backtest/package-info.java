/** Back-tests of rules on logs and recorded request events, and what they say. */
@NullMarked
package io.quotaenforcer.cli.backtest;

import org.jspecify.annotations.NullMarked;
