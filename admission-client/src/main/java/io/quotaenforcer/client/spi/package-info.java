/**
 * Types that a service may implement or replace: telemetry, clocks for tests, and the handler that
 * runs replays. No section of protocol.md depends on them.
 */
@NullMarked
package io.quotaenforcer.client.spi;

import org.jspecify.annotations.NullMarked;
