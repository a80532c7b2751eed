package io.quotaenforcer.client.internal.replay;

import io.quotaenforcer.schemas.topic.Wire;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;

/**
 * Where replays are read from.
 *
 * @param consumers opens a consumer that is a member of a group
 * @param isAway whether no broker can be reached at the moment
 */
public record ReplayKafka(
    Wire wire, Function<ReplayGroup, Consumer<byte[], byte[]>> consumers, BooleanSupplier isAway) {}
