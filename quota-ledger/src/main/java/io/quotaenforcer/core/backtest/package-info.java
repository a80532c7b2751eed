/**
 * Rules run over past requests, each decided at its own time. No section of protocol.md depends on
 * it.
 */
@NullMarked
package io.quotaenforcer.core.backtest;

import org.jspecify.annotations.NullMarked;
