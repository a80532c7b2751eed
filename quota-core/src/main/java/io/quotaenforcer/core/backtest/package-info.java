/** Rules run over requests that were made before, each decided at its own time. */
@NullMarked
package io.quotaenforcer.core.backtest;

import org.jspecify.annotations.NullMarked;
