/** What a user of the client may implement or replace: clocks, telemetry and what runs a replay. */
@NullMarked
package io.quotaenforcer.client.spi;

import org.jspecify.annotations.NullMarked;
