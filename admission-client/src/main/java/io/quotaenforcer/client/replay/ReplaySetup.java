package io.quotaenforcer.client.replay;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;

/**
 * What a client lends to those who run replays for it.
 *
 * @param name in the names of threads
 * @param groups that it is a member of
 * @param consumers opens a consumer that is a member of a group
 * @param kafkaAway whether no broker can be reached at the moment
 * @param closeTimeout how long closing waits for what has started
 */
public record ReplaySetup(
    String name,
    List<ReplayGroup> groups,
    Function<ReplayGroup, Consumer<byte[], byte[]>> consumers,
    Wire wire,
    OtherRules otherRules,
    Acknowledgements acknowledgements,
    ReplayResults results,
    Clocks clocks,
    ClientTelemetry telemetry,
    BooleanSupplier kafkaAway,
    Duration closeTimeout) {}
