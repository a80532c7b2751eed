/** What a user of the client may implement or replace: clocks and telemetry. */
@NullMarked
package io.quotaenforcer.client.spi;

import org.jspecify.annotations.NullMarked;
