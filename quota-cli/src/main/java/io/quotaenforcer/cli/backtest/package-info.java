/** Back-tests of rules on access logs, and reports as text. */
@NullMarked
package io.quotaenforcer.cli.backtest;

import org.jspecify.annotations.NullMarked;
