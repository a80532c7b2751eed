package io.quotaenforcer.client.replay;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;

/**
 * What a client lends to those who run replays for it.
 *
 * @param name in the names of threads
 * @param consumers opens a consumer that is a member of the group
 * @param domains whose replays are run; others are passed over
 * @param kafkaAway whether no broker can be reached at the moment
 * @param closeTimeout how long closing waits for what has started
 */
public record ReplaySetup(
    String name,
    Supplier<Consumer<byte[], byte[]>> consumers,
    Wire wire,
    Predicate<String> domains,
    OtherRules otherRules,
    ReplayResults results,
    Clocks clocks,
    ClientTelemetry telemetry,
    BooleanSupplier kafkaAway,
    Duration closeTimeout) {}
