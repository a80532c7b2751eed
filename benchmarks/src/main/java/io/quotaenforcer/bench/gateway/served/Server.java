package io.quotaenforcer.bench.gateway.served;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * A server that runs.
 *
 * @param processorTime that its process took so far
 * @param besideIt the same of what it needs: Kafka with its enforcer, or Redis
 */
public record Server(Ports ports, Supplier<Duration> processorTime, Supplier<Duration> besideIt) {}
